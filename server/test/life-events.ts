import { randomUUID } from 'node:crypto'
import { ACTS, type ActKind } from '#contract/acts/acts.ts'
import { deleteAccount } from '#contract/endpoints/accounts.ts'
import { bookCourse, cancelCourse } from '#contract/endpoints/courses.ts'
import { keysOf } from '#contract/records.ts'
import { EMPLOYEE_STATUS, RIGHTS } from '#contract/values.ts'
import { insertFileContent } from '#server/features/files/repository.ts'
import { auditPortal } from '#server/operations/audit/audit.ts'
import { type Queryable, sql } from '#server/platform/db/client.ts'
import { createAccountCalls } from './account-calls.ts'
import { prepareAct } from './act-samples.ts'
import { insertCourse, insertDivision, insertFeed, insertInboxItem, insertSession } from './factories.ts'
import { openTestDesk, type TestAct } from './office.ts'
import { PASSWORD, passwordHash } from './password.ts'
import { createWorld } from './samples.ts'
import type { TestServer } from './server.ts'

/** A person whom an event concerns, with the session that was open before it. */
export type Person = { id: number; email: string; token: string; word: string; document: string; loginSubject: string }
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

export const word = (name: string) => `${name}${randomUUID().slice(0, 8)}`

/** Gives everyone without a distinctive name one that occurs nowhere else. */
const renamePeople = (db: Queryable) =>
  db.execute(sql`
    update web_users set family_name = 'Name' || substr(md5(id || random()::text), 1, 10)
    where deleted_at is null and family_name like 'Muster %'`)

/** Opens ways in and stores data of a person whom an event will concern. */
export async function equip({ server, db }: LifeWorld, id: number): Promise<Person> {
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
export const listRights = async (db: Queryable, id: number | null): Promise<string[]> =>
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

/** Prepares an act in a new scene, performs it with its optional fields filled if possible, and sends its e-mails. */
export async function performSample({ server, db, calls }: LifeWorld, kind: ActKind) {
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
