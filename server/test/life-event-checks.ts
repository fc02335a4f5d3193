import { setTimeout } from 'node:timers/promises'
import type { ActKind } from '#contract/acts/acts.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { endpoints } from '#contract/endpoints.ts'
import { entriesOf } from '#contract/records.ts'
import { RIGHTS } from '#contract/values.ts'
import { updateLessonPlaces } from '#server/features/bookings/lesson-place-service.ts'
import { closeExpiredWaitingLists } from '#server/features/bookings/waiting-list-service.ts'
import { refreshCertificatesAndNotify } from '#server/features/certificates/service.ts'
import { sendScheduledMessages } from '#server/office/acts/scheduled-message-service.ts'
import { UNDO_SECONDS } from '#server/office/frame/undo-repository.ts'
import { auditPortal } from '#server/operations/audit/audit.ts'
import { saveDeletedAccounts } from '#server/operations/backup/deleted-accounts.ts'
import { closeAutomatically } from '#server/operations/closing.ts'
import { queueDueReminders } from '#server/operations/due-reminders.ts'
import { runRetention } from '#server/operations/retention.ts'
import { sql } from '#server/platform/db/client.ts'
import { DATA_MAP_TABLES } from '#server/platform/db/data-map.ts'
import { insertUserWithSession } from './factories.ts'
import { dumpTables } from './import-folder.ts'
import {
  EVENTS,
  type EventName,
  equip,
  type LifeWorld,
  listRights,
  type Person,
  performSample,
  word,
} from './life-events.ts'
import { insertOfficer } from './office.ts'
import { PASSWORD } from './password.ts'

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

/** Documents of a merged account that the other account can read, or data of a deleted person in the database. */
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
