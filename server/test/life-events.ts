import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { ACTS, type ActKind } from '#contract/acts/acts.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { deleteAccount } from '#contract/endpoints/accounts.ts'
import { bookCourse, cancelCourse } from '#contract/endpoints/courses.ts'
import { endpoints } from '#contract/endpoints.ts'
import { entriesOf, keysOf } from '#contract/records.ts'
import { EMPLOYEE_STATUS, RIGHTS } from '#contract/values.ts'
import { updateLessonPlaces } from '#server/features/bookings/lesson-place-service.ts'
import { closeExpiredWaitingLists } from '#server/features/bookings/waiting-list-service.ts'
import { refreshCertificatesAndNotify } from '#server/features/certificates/service.ts'
import { insertFileContent } from '#server/features/files/repository.ts'
import { sendScheduledMessages } from '#server/office/acts/scheduled-message-service.ts'
import { UNDO_SECONDS } from '#server/office/frame/undo-repository.ts'
import { auditPortal } from '#server/operations/audit/audit.ts'
import { saveDeletedAccounts } from '#server/operations/backup/deleted-accounts.ts'
import { closeAutomatically } from '#server/operations/closing.ts'
import { queueDueReminders } from '#server/operations/due-reminders.ts'
import { runRetention } from '#server/operations/retention.ts'
import { type Queryable, sql } from '#server/platform/db/client.ts'
import { DATA_MAP_TABLES } from '#server/platform/db/data-map.ts'
import { createAccountCalls } from './account-calls.ts'
import { prepareAct } from './act-samples.ts'
import {
  insertCourse,
  insertDivision,
  insertFeed,
  insertInboxItem,
  insertSession,
  insertUserWithSession,
} from './factories.ts'
import { dumpTables } from './import-folder.ts'
import { insertOfficer, openTestDesk, type TestAct } from './office.ts'
import { PASSWORD, passwordHash } from './password.ts'
import { createWorld } from './samples.ts'
import type { TestServer } from './server.ts'

/** A person whom an event concerns, with the session that was open before it. */
type Person = { id: number; email: string; token: string; word: string; document: string; loginSubject: string }
/** Whether the event concerns the person who performed the act or one whom the act concerns. */
export const ROLES = ['actor', 'subject'] as const
export type Role = (typeof ROLES)[number]

const DAY_MS = 86_400_000
const readsOf = (...accesses: Endpoint['access'][]): [string, Endpoint][] =>
  entriesOf(endpoints).filter(
    ([, { method, access, redirects }]) => method === 'GET' && !redirects && accesses.includes(access),
  )
const DESK_READS = readsOf('office')
const OWN_READS = readsOf('session', 'optional', 'instructor')

/** Events that end a person's access to the portal. */
const ENDS_ACCESS = ['locked', 'deleted', 'merged away']
/** Events after which a person may no longer send messages as a member of the department. */
const ENDS_RIGHTS = [...ENDS_ACCESS, 'right revoked']

export type LifeWorld = Awaited<ReturnType<typeof openLifeWorld>>

/** Opens a portal with a permanent owner, who causes the events, and a sample call for each endpoint. */
export async function openLifeWorld(server: TestServer) {
  const desk = await openTestDesk(server, RIGHTS)
  const { samples } = await createWorld(server.db)
  await backdateBookings(server.db)
  return { server, db: server.db, desk, samples, calls: createAccountCalls(server) }
}

/** Backdates bookings that test data has without their e-mails to before the creation of the account. */
const backdateBookings = (db: Queryable) =>
  db.execute(sql`
    update bookings b set booked_at = u.created_at - interval '1 day' from web_users u
    where u.id = b.web_user_id and b.booked_at >= u.created_at and not exists (
      select from mails m where m.web_user_id = b.web_user_id and (m.payload ->> 'courseId')::int = b.course_id)`)

const word = (name: string) => `${name}${randomUUID().slice(0, 8)}`

/** Gives everyone without a distinctive name one that occurs nowhere else. */
const renamePeople = (db: Queryable) =>
  db.execute(sql`
    update web_users set family_name = 'Name' || substr(md5(id || random()::text), 1, 10)
    where deleted_at is null and family_name like 'Muster %'`)

/** Opens ways in and stores data of a person whom an event will concern. */
async function equip({ server, db }: LifeWorld, id: number): Promise<Person> {
  await db.execute(sql`
    update web_users set password_hash = ${passwordHash}, is_password_to_change = false
    where id = ${id} and state in ('proved', 'known') and not is_address_unproved`)
  const { email, family } = await db.one<{ email: string; family: string }>(
    sql`select email, family_name as family from web_users where id = ${id}`,
  )
  const loginSubject = word('subject')
  await db.execute(sql`
    insert into company_accounts (issuer, subject, web_user_id) values ('https://id.example', ${loginSubject}, ${id})`)
  const document = word('document')
  const sha256 = await insertFileContent(db, 'application/pdf', Buffer.from(document))
  await insertInboxItem(db, { webUserId: id, title: 'Bescheinigung', text: '', document: { name: document, sha256 } })
  await db.execute(sql`delete from calendar_feeds where web_user_id = ${id}`)
  await insertFeed(db, id)
  const token = await insertSession(db, id)
  await server.request(bookCourse, { token, body: { id: (await insertCourse(db)).id } })
  return { id, email, word: family, document, loginSubject, token }
}

type Event = (world: LifeWorld, person: Person, other: Person) => Promise<boolean>
const isOk = ({ status, body }: { status: number; body: { status?: unknown } }) =>
  status === 200 && body.status === 'Ok'

/** Events in the life of an account. Each returns whether the portal permitted it. */
export const EVENTS = {
  locked: async ({ desk }, { id }) => isOk(await desk.send({ kind: 'lock-person', webUserId: id, reason: 'Test' })),
  deleted: async ({ server, db, desk }, { id, token }) => {
    const booked = await db.query<{ courseId: number }>(sql`
      select course_id as "courseId" from bookings where web_user_id = ${id} and cancelled_at is null`)
    for (const { courseId } of booked) {
      await server.request(cancelCourse, { token, body: { id: courseId } })
      await desk.send({ kind: 'cancel-booking', courseId, webUserId: id, charge: 'none', reason: 'Test' })
    }
    return isOk(await server.request(deleteAccount, { token, body: { password: PASSWORD } }))
  },
  'merged away': async ({ db, desk }, { id }, other) => {
    await db.execute(sql`delete from office_rights where web_user_id = ${id}`)
    await db.execute(sql`delete from invited_rights where web_user_id = ${id}`)
    return isOk(await desk.send({ kind: 'merge-people', webUserId: id, intoWebUserId: other.id, reason: 'Test' }))
  },
  'merged into': async ({ desk }, { id }, other) =>
    isOk(await desk.send({ kind: 'merge-people', webUserId: other.id, intoWebUserId: id, reason: 'Test' })),
  'right revoked': async ({ db, desk }, { id, email }) => {
    if ((await listRights(db, id)).length === 0) await desk.send({ kind: 'grant-right', email, right: 'content' })
    const rights = await listRights(db, id)
    for (const right of rights) await desk.send({ kind: 'revoke-right', email, right } as TestAct)
    return rights.length > 0
  },
  'old address invited': async ({ desk }, { id, email: old }) => {
    const email = `${word('new')}@life.example`
    return (
      isOk(await desk.send({ kind: 'change-person', webUserId: id, email })) &&
      isOk(await desk.send({ kind: 'invite-person', email: old, rights: ['content'] }))
    )
  },
  'address changed': async ({ desk }, { id }) =>
    isOk(
      await desk.send({ kind: 'change-person', webUserId: id, email: `${word('new')}@life.example`, reason: 'Test' }),
    ),
  'status changed': async ({ desk }, { id }) =>
    isOk(
      await desk.send({
        kind: 'change-person',
        webUserId: id,
        employeeStatus: EMPLOYEE_STATUS.External,
        billingType: 3,
        street: 'Weg 1',
        zip: '38440',
        city: 'Wolfsburg',
        reason: 'Test',
      }),
    ),
  'company login linked': async ({ db }, { id }) =>
    (await db.execute(sql`
      insert into company_accounts (issuer, subject, web_user_id) values ('https://id.example', ${word('own')}, ${id})`)) >
    0,
  'division online-only': async ({ db, desk }, { id: webUserId }) => {
    const { id } = await insertDivision(db)
    await desk.send({ kind: 'change-person', webUserId, divisionId: id, reason: 'Test' })
    return isOk(await desk.send({ kind: 'save-division', id, onlineOnly: true, reason: 'Test' }))
  },
  'cancellation undone': async ({ db, desk }, { id: webUserId }) => {
    const listBookings = () =>
      db.query<{ courseId: number }>(sql`
        select to_jsonb(b) - 'changed_in' as row, b.course_id as "courseId" from bookings b
        where web_user_id = ${webUserId} and cancelled_at is null order by id`)
    let hasHappened = false
    for (const { courseId } of await listBookings()) {
      const before = await listBookings()
      const actId = randomUUID()
      const seat = { courseId, webUserId, reason: 'Test' }
      const { body } = await desk.send({ kind: 'cancel-booking', ...seat, charge: 'none', actId, undoable: true })
      if (body.undoable !== true || body.consequences.promoted.length > 0) continue
      const undone = await desk.send({ kind: 'book', ...seat, undoes: actId })
      if (!isOk(undone) || JSON.stringify(await listBookings()) !== JSON.stringify(before))
        throw new Error(
          `course ${courseId}, person ${webUserId}: ${JSON.stringify([undone.body, before, await listBookings()])}`,
        )
      hasHappened = true
    }
    return hasHappened
  },
} as const satisfies Record<string, Event>
export type EventName = keyof typeof EVENTS
export const EVENT_NAMES = keysOf(EVENTS)

/** Held and pending rights of a person, or of everybody. */
const listRights = async (db: Queryable, id: number | null): Promise<string[]> =>
  (
    await db.query<{ right: string }>(sql`
      select distinct case when ${id}::int is null then web_user_id || ' ' else '' end || "right" as right from (
        select web_user_id, "right" from office_rights union select web_user_id, "right" from invited_rights) r
      where ${id}::int is null or web_user_id = ${id} order by 1`)
  ).map(({ right }) => right)

/** Values with which optional fields of an act are filled, as far as it has them. */
const FILLED: Record<string, unknown> = {
  rights: ['content'],
  quiet: true,
  note: 'Hinweis',
  language: 'en',
  reason: 'Test',
}

/** The sample of an act with its optional fields filled. The words by which its person is found are new. */
function fill(act: TestAct): TestAct {
  const fields = keysOf(ACTS[act.kind].fields as Record<string, unknown>)
  const more = Object.entries(FILLED).filter(([name]) => (fields.includes(name) || name === 'reason') && !(name in act))
  const filled: Record<string, unknown> = { ...Object.fromEntries(more), ...act }
  if (act.kind === 'create-person') filled.familyName = word('Name')
  if (act.kind === 'create-person' || act.kind === 'invite-person') filled.email = `${word('new')}@life.example`
  return filled as TestAct
}

/** People whom an act concerned according to the audit log, without members of the department. */
const listSubjects = async (db: Queryable, recordId: number, without: number): Promise<number[]> =>
  (
    await db.query<{ id: number }>(sql`
      select p.web_user_id as id from office_record_people p join web_users u on u.id = p.web_user_id
      where p.record_number = ${recordId} and p.web_user_id <> ${without} and u.deleted_at is null
        and not exists (select from office_rights r where r.web_user_id = u.id and r."right" = 'owner') order by 1`)
  ).map(({ id }) => id)

type Scene = {
  world: LifeWorld
  event: EventName
  /** whether the event concerns the person who performed the act */
  isActor: boolean
  person: Person
  /** the other person of a merge */
  other: Person
  /** receives the message that the actor scheduled, whose title is `marker` */
  witness: { id: number }
  marker: string
  courseId: number | null
}

export type Outcome = { findings: string[]; hasHappened: boolean }

/** Prepares an act in a new scene, performs it with its optional fields filled if possible, and sends its e-mails. */
async function performSample({ server, db, calls }: LifeWorld, kind: ActKind) {
  const actor = await openTestDesk(server, RIGHTS)
  const { act } = await prepareAct(server, kind, actor.act)
  await renamePeople(db)
  await backdateBookings(db)
  const baseline = new Set((await auditPortal(db)).findings)
  const filled = await actor.send(fill(act))
  const answer = isOk(filled) ? filled.body : await actor.act(act)
  await calls.mailsOf(actor.id)
  const { courseId } = Object(act) as { courseId?: number }
  return {
    actor,
    baseline,
    courseId: courseId ?? null,
    subjects: await listSubjects(db, answer.recordId ?? 0, actor.id),
  }
}

/**
 * Performs an act, lets an event follow, calls every read and runs every job.
 * @param role whom the event concerns; the actor if the act concerns nobody else
 * @param choice chooses one of the people whom the act concerns
 */
export async function playPair(
  world: LifeWorld,
  { kind, role, event }: { kind: ActKind; role: Role; event: EventName },
  choice: number,
): Promise<Outcome> {
  const { db, desk } = world
  const { actor, baseline, courseId, subjects } = await performSample(world, kind)
  const subject = role === 'subject' ? subjects[choice % Math.max(1, subjects.length)] : undefined
  const witness = await insertUserWithSession(db)
  const marker = word('message')
  const text = { to: 'person', toId: witness.id, title: marker, mail: true } as const
  const sendAt = new Date(Date.now() + 2 * DAY_MS).toISOString().slice(0, 16)
  await actor.act({ kind: 'save-message', state: 'scheduled', sendAt, ...text })
  const person = await equip(world, subject ?? actor.id)
  const other = await equip(world, (await insertUserWithSession(db)).id)
  await desk.act({ kind: 'save-message', state: 'draft', ...text, toId: person.id, title: `An ${person.word}` })
  const before = await listRights(db, null)
  const hasHappened = await EVENTS[event](world, person, other)
  const scene = { world, event, isActor: subject === undefined, person, other, witness, marker, courseId }
  const findings = hasHappened ? await findFaults(scene, before, baseline) : []
  // Otherwise every later act would notify the owners of all earlier ones.
  await db.execute(sql`delete from office_rights where web_user_id = ${actor.id}`)
  await db.execute(sql`delete from desk_messages`)
  return { findings, hasHappened }
}

async function findFaults(scene: Scene, rights: string[], baseline: Set<string>): Promise<string[]> {
  const { world, event, person } = scene
  const findings = [...(await findRightsFaults(scene, rights)), ...(await runJobs(scene))]
  findings.push(...(await callReads(scene)), ...(await findForeignNames(scene)), ...(await findOpenDoors(scene)))
  const audit = (await auditPortal(world.db)).findings.filter(line => !baseline.has(line))
  findings.push(...audit.map(line => `audit: ${line}`))
  return findings.map(finding => `${finding} (person ${person.id}, ${event})`)
}

/** An event other than an invitation gives nobody a right, and one that was revoked does not return with the next login. */
async function findRightsFaults({ world, event, person }: Scene, before: string[]): Promise<string[]> {
  const { db, calls } = world
  if (event === 'right revoked') {
    const password = (await calls.mailsTo(person.email)).findLast(({ payload }) => payload.password)?.payload.password
    for (const known of [password, PASSWORD]) if (known) await calls.logIn(person.email, known)
    const left = await listRights(db, person.id)
    if (left.length > 0) return [`revoked, and has ${left}`]
  }
  const gained = (await listRights(db, null)).filter(right => !before.includes(right))
  return event === 'old address invited' || gained.length === 0 ? [] : [`rights gained: ${gained}`]
}

/** Runs every job, with all scheduled items due. */
async function runJobs({ world, event, isActor, witness, marker }: Scene): Promise<string[]> {
  const { db, server, calls } = world
  await db.execute(sql`update desk_messages set send_at = clock_timestamp() where state = 'scheduled'`)
  await db.execute(sql`update programme set is_closing_automatic = true`)
  const { config } = server.context
  const jobs = {
    messages: () => sendScheduledMessages(db, config),
    'waiting lists': () => closeExpiredWaitingLists(db, config.region),
    'lesson places': () => updateLessonPlaces(db, config.region, UNDO_SECONDS),
    reminders: () => queueDueReminders(db),
    'evening reminders': () => queueDueReminders(db, evening()),
    certificates: () => db.transaction(tx => refreshCertificatesAndNotify(tx, null)),
    deletions: () => saveDeletedAccounts(db, config.dataDir),
    closing: () => closeAutomatically({ db, config }, { weekday: new Date().getDay() || 7, hour: 0 }),
    retention: () => runRetention({ db, now: new Date() }),
    mails: () => calls.mailsOf(witness.id),
  }
  const failures: string[] = []
  for (const [name, run] of entriesOf(jobs))
    await Promise.resolve(run()).catch(error => failures.push(`job ${name}: ${String(error)}`))
  const sent = await db.query(sql`select from inbox_items where web_user_id = ${witness.id} and title = ${marker}`)
  const mayWrite = !isActor || !ENDS_RIGHTS.includes(event)
  if ((sent.length === 1) !== mayWrite) failures.push(`scheduled message sent ${sent.length} times`)
  return failures
}

const evening = () => {
  const date = new Date(Date.now() + DAY_MS)
  date.setHours(19, 0, 0, 0)
  return date
}

type Read = { world: LifeWorld; token: string; courseId: number | null; personId: number }
/**
 * Calls an endpoint for a person and a course, again if the server is busy.
 * @returns its status, and its response as text
 */
async function callRead(read: Read, name: string, endpoint: Endpoint, attempts = 5) {
  const answer = await callReadOnce(read, name, endpoint)
  if (answer.status !== 503 || attempts <= 1) return answer
  await setTimeout(1000)
  return callRead(read, name, endpoint, attempts - 1)
}

async function callReadOnce({ world, token, courseId, personId }: Read, name: string, endpoint: Endpoint) {
  const sample = world.samples[name]
  const id = /Person/.test(name) ? personId : /^get(?:Office)?Course$/.test(name) ? courseId : null
  const params = id === null ? sample?.params : { id }
  try {
    const { status, body } = await world.server.request(endpoint, {
      ...sample,
      ...(params && { params }),
      token,
    } as object)
    return { status, text: JSON.stringify(body) }
  } catch (error) {
    return { status: 500, text: String(error) }
  }
}

/** Every read of the desk and of the people concerned responds without an error of the server. */
async function callReads({ world, person, other, courseId }: Scene): Promise<string[]> {
  const failures: string[] = []
  const read = { world, courseId, personId: person.id }
  // All costly requests of an officer share a limit.
  const officer = await insertOfficer(world.server, RIGHTS)
  for (const [reads, token] of [
    [DESK_READS, officer.token],
    [OWN_READS, person.token],
    [OWN_READS, other.token],
  ] as const)
    for (const [name, endpoint] of reads) {
      const { status, text } = await callRead({ ...read, token }, name, endpoint)
      if (status >= 500 || status === 429) failures.push(`${name}: ${status} ${text.slice(0, 200)}`)
    }
  return failures
}

/** Sessions, passwords and company logins that an event should have ended. */
async function findOpenDoors({ world, event, person, other, courseId }: Scene): Promise<string[]> {
  const { db, calls } = world
  const faults: string[] = []
  const statusesOf = async (reads: [string, Endpoint][]) => {
    const found: [string, number][] = []
    for (const [name, endpoint] of reads.filter(([, { access }]) => access !== 'optional'))
      found.push([
        name,
        (await callRead({ world, token: person.token, courseId, personId: person.id }, name, endpoint)).status,
      ])
    return found
  }
  const isOver = ENDS_ACCESS.includes(event) || event === 'address changed' || event === 'old address invited'
  if (isOver)
    faults.push(
      ...(await statusesOf([...OWN_READS, ...DESK_READS]))
        .filter(([, status]) => status !== 401)
        .map(([name, status]) => `${name}: ${status} with the old session`),
    )
  if (event === 'right revoked')
    faults.push(
      ...(await statusesOf(DESK_READS))
        .filter(([, status]) => ![401, 403].includes(status))
        .map(([name, status]) => `${name}: ${status} without rights`),
    )
  if (ENDS_ACCESS.includes(event) && (await calls.logIn(person.email)).status === 'Ok') faults.push('logs in')
  const [closed, open] = event === 'merged into' ? [other, person] : [person, other]
  const ways = await db.query(sql`
    select from company_accounts where subject = ${closed.loginSubject} and web_user_id = ${open.id}`)
  if (ways.length > 0) faults.push('the company login of another person opens the account')
  return faults
}

/** Names and documents of somebody that others, or the database after a deletion, still contain. */
async function findForeignNames({ world, event, person, other, courseId }: Scene): Promise<string[]> {
  if (event === 'merged away' || event === 'merged into') {
    const [closed, open] = event === 'merged into' ? [other, person] : [person, other]
    const faults: string[] = []
    for (const [name, endpoint] of OWN_READS) {
      const { text } = await callRead({ world, token: open.token, courseId, personId: open.id }, name, endpoint)
      if (text.includes(closed.document)) faults.push(`${name}: names a document of the merged account`)
    }
    return faults
  }
  if (event !== 'deleted') return []
  const isForeign = (table: string, row: object) => {
    const text = JSON.stringify(row)
    // E-mails that were already due and notices to others about an act have retention periods of their own.
    if (['outbox', 'inbox_items'].includes(table) || DATA_MAP_TABLES[table]?.holds.billing) return false
    return [person.word, person.email, person.document].some(one => text.includes(one))
  }
  const tables = Object.entries(await dumpTables(world.db)).filter(([table, rows]) =>
    rows.some(row => isForeign(table, row)),
  )
  return tables.map(([table]) => `${table}: names the deleted person`)
}
