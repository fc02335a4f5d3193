import { expect, test } from 'vitest'
import { listClosing, listSettlements } from '#contract/office/money.ts'
import { EMPLOYEE_STATUS } from '#contract/values.ts'
import { sql } from '#server/platform/db/client.ts'
import { insertInstructor, insertTick } from '#server/test/factories.ts'
import { insertPastCourse, insertPlace, insertProof } from '#server/test/money-scene.ts'
import { openTestOffice } from '#server/test/office.ts'
import { closeAutomatically } from './closing.ts'

const { server, ...office } = await openTestOffice(['billing'])
const { db, context } = server
const { token } = office

/** A report that is due whenever the test runs, or never. */
const due = async () => ({
  weekday: (await db.one<{ day: number }>(sql`select extract(isodow from localtimestamp)::int as day`)).day,
  hour: 0,
})
const NEVER = { weekday: 0, hour: 0 }
const settled = async () =>
  (await server.request(listSettlements, { token, query: {} })).body.items.map(({ courseId }) => courseId)
const mailsOf = async (address: string) =>
  await db.query<{ title: string; text: string }>(sql`
      select payload #>> '{de,title}' as title, payload #>> '{de,paragraphs}' as text from mails where recipient = ${address} order by id`)

test('the portal reminds, settles what is complete and reports on Fridays, once switched on', async () => {
  const person = { knownAt: new Date(), personnelNumber: '4711' }
  const teacher = { instructorEmails: [(await insertInstructor(db, { email: 'ines@kurse.example' })).email] }
  // A certificate is earned, which the settlement issues.
  const complete = await insertPastCourse(db, 3, { centralTestInstitute: 'KU-BE-4711' })
  const employeeStatus = EMPLOYEE_STATUS.HealthInsurance
  await insertPlace(db, complete, 3, { employeeStatus, person: { ...person, employeeStatus } })
  const open = await insertPastCourse(db, 3, { isParticipatingComplete: false, ...teacher })
  const { id } = await insertPlace(db, open, 0, { person: { ...person, personnelNumber: '4712' } })
  const [gap = 0] = open.lessonIds
  await db.execute(sql`delete from attendances where course_date_id = ${gap}`)
  const doubtful = await insertPastCourse(db, 3)
  await insertProof(db, (await insertPlace(db, doubtful, 0, { person: { ...person, personnelNumber: '4713' } })).id)

  expect(await closeAutomatically(context, await due())).toBeNull()
  expect(await settled()).toEqual([])

  expect(await office.act({ kind: 'set-closing', isAutomatic: true })).toMatchObject({ status: 'Ok' })
  expect((await server.request(listClosing, { token, query: {} })).body).toMatchObject({
    isAutomatic: true,
    finished: 0,
  })
  expect(await closeAutomatically(context, await due())).toEqual({ reminded: 1, settled: 1, reported: 3 })
  expect(await settled()).toEqual([complete.id])
  expect(await mailsOf('ines@kurse.example')).toHaveLength(1)
  const [report] = await mailsOf(office.email)
  expect(report?.title).toBe('Das hält am meisten Geld auf')
  expect(report?.text).toMatch(/45,00\s€, Nachweise \(Abteilung\)/)
  expect(report?.text).toMatch(/45,00\s€, Übergabe \(Abteilung\)/)
  expect(report?.text).toMatch(/\s€, Teilnahmeliste \(Kursleitung\)/)
  const records = await db.query<{ kind: string; actor: number | null }>(sql`
    select kind, actor_id as actor from office_record where actor_id is null order by number`)
  expect(records.map(({ kind }) => kind)).toEqual(['remind-attendance', 'settle-courses'])

  // Nothing is repeated within the week, and a list that was completed meanwhile is settled.
  expect(await closeAutomatically(context, await due())).toEqual({ reminded: 0, settled: 0, reported: 0 })
  await insertTick(db, { courseDateId: gap, webUserId: id, isPresent: false, recordedBy: null })
  // The instructor has not closed the list, which is left open for some days after the last lesson.
  expect(await closeAutomatically(context, NEVER)).toEqual({ reminded: 0, settled: 0, reported: 0 })
  await db.execute(sql`update bookings set booked_at = booked_at - interval '4 days' where course_id = ${open.id}`)
  await db.execute(sql`update course_dates set held_at = held_at - interval '4 days' where course_id = ${open.id}`)
  // The instructor may still be correcting it.
  expect(await closeAutomatically(context, NEVER)).toEqual({ reminded: 0, settled: 0, reported: 0 })
  await db.execute(sql`update attendance_changes set received_at = received_at - interval '1 day'`)
  expect(await closeAutomatically(context, NEVER)).toEqual({ reminded: 0, settled: 1, reported: 0 })
  expect((await mailsOf('ines@kurse.example')).map(({ title }) => title)).toContainEqual(
    expect.stringMatching(/^Teilnahmeliste abgeschlossen: /),
  )
  expect(await settled()).toEqual([complete.id, open.id])

  // A list that was reopened is not closed between two corrections.
  await db.execute(sql`update courses set is_participating_complete = false where id = ${open.id}`)
  await insertTick(db, { courseDateId: gap, webUserId: id, isPresent: true, recordedBy: null })
  expect(await closeAutomatically(context, NEVER)).toEqual({ reminded: 0, settled: 0, reported: 0 })
  expect(await db.one(sql`select is_participating_complete as closed from courses where id = ${open.id}`)).toEqual({
    closed: false,
  })

  await office.act({ kind: 'set-closing', isAutomatic: false })
  expect(await closeAutomatically(context, await due())).toBeNull()
})
