import { expect, test } from 'vitest'
import { changeReminders, DEFAULT_REMINDERS, getReminders } from '#contract/endpoints/reminders.ts'
import { headlineFigures } from '#contract/office/headline-figures.ts'
import { getReport } from '#contract/office/report.ts'
import { getToday } from '#contract/office/today.ts'
import { sql } from '#server/platform/db/client.ts'
import { renderMail } from '#server/platform/outbox/letter.ts'
import { leaseDueMessages } from '#server/platform/outbox/outbox.ts'
import { dateFromNow, insertBooking, insertCourse, insertSeason } from '#server/test/factories.ts'
import { openTestMailTransport } from '#server/test/mail-sender.ts'
import { insertPastCourse, insertPlace } from '#server/test/money-scene.ts'
import { insertOfficer, openTestOffice } from '#server/test/office.ts'
import { closeAutomatically } from './closing.ts'
import { queueOfficeReports, readOfficeReport } from './office-report.ts'

const { server, ...desk } = await openTestOffice(['owner', 'bookings'])
const { db, context } = server
const { region } = context.config

const choose = (token: string, officeReport: { weekly: boolean; monthly: boolean }) =>
  server.request(changeReminders, { token, body: { ...DEFAULT_REMINDERS, officeReport } })
const reader = async (rights: Parameters<typeof insertOfficer>[1], monthly = false) => {
  const officer = await insertOfficer(server, rights)
  await choose(officer.token, { weekly: true, monthly })
  return officer
}
const queuedFor = async (webUserId: number) =>
  (
    await db.query<{ period: string; day: string }>(sql`
      select payload ->> 'period' as period, payload ->> 'day' as day from mails
      where web_user_id = ${webUserId} and kind = 'office-report' order by id`)
  ).map(({ period, day }) => `${period} ${day}`)
/** 8 January 2100 is a Friday. */
const FRIDAY = '2100-01-08 07:00'

test('nothing is queued for an empty portal', async () => {
  const { id } = await reader(['programme', 'billing'])
  await insertSeason(db, { isDraft: true })
  expect(await queueOfficeReports(db, FRIDAY)).toBe(0)
  expect(await queuedFor(id)).toEqual([])
})

test('each period has one e-mail per person, also with several servers, and missed ones follow for two days', async () => {
  await insertPastCourse(db)
  const { id, token } = await reader(['billing'])
  const queue = (at: string) => Promise.all([queueOfficeReports(db, at), queueOfficeReports(db, at)])
  await queue('2100-01-08 06:59')
  expect(await queuedFor(id)).toEqual([])
  await queue(FRIDAY)
  await queue('2100-01-10 12:00')
  expect(await queuedFor(id)).toEqual(['week 2100-01-08'])
  // The server was down on Friday.
  await queue('2100-01-17 23:00')
  await queue('2100-01-18 07:00')
  expect(await queuedFor(id)).toEqual(['week 2100-01-08', 'week 2100-01-17'])
  await choose(token, { weekly: false, monthly: true })
  await queue('2100-01-22 08:00')
  await queue('2100-02-01 06:00')
  await queue('2100-02-01 07:00')
  await choose(token, { weekly: true, monthly: true })
  // 1 October 2100 is a Friday as well: one e-mail is enough for that day.
  await queue('2100-10-01 07:30')
  await queue('2100-10-01 08:30')
  expect((await queuedFor(id)).slice(2)).toEqual(['month 2100-02-01', 'month 2100-10-01'])
  await choose(token, { weekly: false, monthly: false })
  await queue('2100-10-08 07:30')
  expect(await queuedFor(id)).toHaveLength(4)
  expect((await server.request(getReminders, { token })).body).toEqual(DEFAULT_REMINDERS)
})

test('the figures are those of the report, and the counts those of Today and of the lists it leads to', async () => {
  const course = await insertPastCourse(db, 3, { number: 'H-0301' })
  await insertPlace(db, course, 0, { person: { personnelNumber: '4711', knownAt: new Date() } })
  const open = await insertCourse(db, { dates: [`${dateFromNow(-2)} 18:00:00`] })
  await insertBooking(db, open.id, desk.id)
  const officer = await reader(['billing', 'bookings'])
  const report = await readOfficeReport(db, officer.id, region)
  const { token } = officer
  const seasonId = String(report?.season?.id)
  const shown = (await server.request(getReport, { token, query: { seasonId } })).body
  expect(report?.season?.figures).toEqual(headlineFigures(shown))
  const { totals } = (await server.request(getToday, { token })).body
  expect(report?.tasks.length).toBeGreaterThan(0)
  for (const { task, count } of report?.tasks ?? []) {
    expect(count).toBe(totals[task])
    const list = (await server.request(getToday, { token, query: { all: task, limit: '500' } })).body
    expect(list[task]).toHaveLength(count)
  }
  expect(report?.waiting.map(({ courseId }) => courseId)).toContain(course.id)
  expect(report?.billing).toContainEqual({ task: 'toSettle', count: expect.any(Number) })
})

test('the rights at the time of sending decide what an e-mail contains, and whether it is sent', async () => {
  const limited = await readOfficeReport(db, (await reader(['programme', 'bookings'])).id, region)
  expect(limited).toMatchObject({ season: null, billing: [], waiting: [] })
  expect(await readOfficeReport(db, (await reader(['content', 'record', 'owner'])).id, region)).toBeNull()

  const revoked = await reader(['billing'])
  const locked = await reader(['billing'])
  const kept = await reader(['billing'])
  await queueOfficeReports(db, '2100-11-05 08:00')
  for (const { id } of [revoked, locked, kept]) expect(await queuedFor(id)).toHaveLength(1)
  await db.execute(sql`delete from office_rights where web_user_id = ${revoked.id}`)
  await db.execute(sql`update web_users set locked_at = now() where id = ${locked.id}`)
  const transport = openTestMailTransport(context)
  const mails = await leaseDueMessages(db, 'mail', { limit: 1000, leaseMs: 60_000 })
  const verdictOf = async ({ id }: { id: number }) => {
    const mail = mails.find(({ webUserId, kind }) => webUserId === id && kind === 'office-report')
    return mail && (await transport.deliver(mail, new AbortController().signal, () => undefined)).verdict
  }
  expect([await verdictOf(revoked), await verdictOf(locked), await verdictOf(kept)]).toEqual([
    'obsolete',
    'obsolete',
    'sent',
  ])
  transport.close()
  await queueOfficeReports(db, '2100-11-12 08:00')
  expect(await queuedFor(revoked.id)).toHaveLength(1)
  expect(await queuedFor(locked.id)).toHaveLength(1)
  expect(await queuedFor(kept.id)).toHaveLength(2)
})

test('the e-mail leads to the lists it counts and to the place where it is switched off', async () => {
  const { id } = await reader(['billing', 'bookings'])
  const report = await readOfficeReport(db, id, region)
  if (report === null) throw new Error('empty report')
  const mail = {
    id: 1,
    recipient: 'kim@demo.example',
    createdAt: new Date(),
    name: 'Kim',
    kind: 'office-report' as const,
  }
  const write = (language: 'de' | 'en') =>
    renderMail({ ...mail, language, payload: { period: 'week', day: '2100-01-08', report } }, context.config)
  const [de, en] = [write('de'), write('en')]
  const { publicUrl } = context.config
  expect(de.subject).toBe('Wochenbericht vom 08.01.2100')
  expect(de.text).toContain(`Anwesenheit nicht erfasst: 1\n  ${publicUrl}/office?all=unrecorded`)
  expect(de.text).toContain(
    `Ändern oder abschalten: Von Ihnen gewählt unter „Heute“\n  ${publicUrl}/office#report-mail`,
  )
  expect(en.subject).toBe('Weekly report of 08.01.2100')
  expect(en.text).toContain('Attendance not recorded: 1\n')
  expect(en.html).toContain(`href="${publicUrl}/office/report?season=${report.season?.id}"`)
  // A link is named after what it leads to, not by a number (WCAG 2.4.4).
  for (const name of ['Attendance not recorded', 'Change or switch off'])
    expect(en.html).toMatch(new RegExp(`<a href="[^"]+" style="color:inherit">${name}</a>`))
  expect(en.html).not.toMatch(/<a [^>]*>[\d.]+</)
})

test('who receives the weekly report is not told on Fridays a second time what holds up money', async () => {
  const subscribed = await reader(['billing'])
  const other = await insertOfficer(server, ['billing'])
  await db.execute(sql`update programme set is_closing_automatic = true`)
  const { day } = await db.one<{ day: number }>(sql`select extract(isodow from localtimestamp)::int as day`)
  await closeAutomatically(context, { weekday: day, hour: 0 })
  const told = await db.query<{ id: number }>(sql`
    select web_user_id as id from mails where payload #>> '{de,title}' = 'Das hält am meisten Geld auf'`)
  expect(told.map(({ id }) => id)).toContain(other.id)
  expect(told.map(({ id }) => id)).not.toContain(subscribed.id)
})
