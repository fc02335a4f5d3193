import { expect, test } from 'vitest'
import { bookCourse, type Course, cancelCourse, getCourse, listBookedCourses } from '#contract/endpoints/courses.ts'
import { listMessages } from '#contract/endpoints/inbox.ts'
import { sql } from '#server/platform/db/client.ts'
import { publicHolidaysOf } from '#server/platform/holidays/holidays.ts'
import { renderMail } from '#server/platform/outbox/letter.ts'
import { leaseDueMessages } from '#server/platform/outbox/outbox.ts'
import { dateFromNow, insertCourse, insertUserWithSession } from '#server/test/factories.ts'
import { openTestServer } from '#server/test/server.ts'

const server = await openTestServer()

type Person = Awaited<ReturnType<typeof insertUserWithSession>>
const book = async ({ token }: Person, id: number) => (await server.request(bookCourse, { token, body: { id } })).body
const cancel = async ({ token }: Person, id: number) =>
  (await server.request(cancelCourse, { token, body: { id } })).body
const see = async ({ token }: Person, id: number) => (await server.request(getCourse, { token, params: { id } })).body

/** Computed separately: counts from the following day, skipping weekends and holidays. */
function fifthWorkingDay(from: string): string {
  const day = new Date(`${from}T00:00:00Z`)
  for (let left = 5; left > 0; ) {
    day.setUTCDate(day.getUTCDate() + 1)
    const date = day.toISOString().slice(0, 10)
    if (![0, 6].includes(day.getUTCDay()) && !publicHolidaysOf('DE-NI', day.getUTCFullYear()).includes(date)) left -= 1
  }
  return day.toISOString().slice(0, 10)
}

/** As e-mails state it: the end of a day without a time. */
const german = (until: string) =>
  `${until.slice(0, 10).split('-').reverse().join('.')}${until.endsWith(' 23:59') ? '' : `, ${until.slice(11)}`}`
const untilOf = ({ cancelUntil }: Pick<Course, 'cancelUntil'>) => {
  if (cancelUntil === null) return null
  const [year, month, day, hour, minute] = [
    cancelUntil.year,
    cancelUntil.month,
    cancelUntil.day,
    cancelUntil.hour,
    cancelUntil.minute,
  ].map(part => String(part).padStart(2, '0'))
  return `${year}-${month}-${day} ${hour}:${minute}`
}
const pastDays = (text: string) =>
  (text.match(/\d\d\.\d\d\.\d{4}/g) ?? []).filter(day => day.split('.').reverse().join('-') < dateFromNow(0))

/** E-mail and inbox message about a course, as rendered for the person. */
async function wordsTo(person: Person): Promise<string[]> {
  const mails = await leaseDueMessages(server.db, 'mail', { limit: 1000, leaseMs: 0 })
  const letters = mails
    .filter(({ recipient }) => recipient === person.email)
    .map(mail => String(renderMail({ ...mail, payload: mail.payload as never }, server.context.config).text))
  const { body } = await server.request(listMessages, { token: person.token })
  return [...letters, ...body.map(({ title, text }) => `${title} ${text}`)]
}

/** Moves all events so far some days into the past. */
const age = ({ id }: Person, days: number) =>
  server.db.execute(sql`
    update bookings b set booked_at = b.booked_at - a.age, promoted_at = b.promoted_at - a.age,
      first_lesson_on = first_lesson_at(b.course_id, (coalesce(b.promoted_at, b.booked_at) - a.age)::timestamp)::date
    from (select ${days} * interval '1 day' as age) a where b.web_user_id = ${id}`)

const year = new Date().getUTCFullYear() + 1
const easter = (() => {
  const monday = publicHolidaysOf('DE-NI', year).find(day => day > `${year}-03-20` && new Date(day).getUTCDay() === 1)
  return new Date(Date.parse(monday ?? '') - 4 * 86_400_000).toISOString().slice(0, 10)
})()
const RUNNING = [-20, -13, -6, 1, 8]
const lessonsOn = (days: number[]) => days.map(day => `${dateFromNow(day)} 18:00`)
type Way = 'books' | 'moves up'
test.each<[string, Way, () => string[], ageDays: number, firstLesson: string | null]>([
  ['books before the start', 'books', () => lessonsOn([3, 10, 17]), 0, dateFromNow(3)],
  ['books before the start, Christmas in the free days', 'books', () => [`${year}-12-22 18:00`], 0, `${year}-12-22`],
  ['books before the start, Easter in the free days', 'books', () => [`${easter} 18:00`], 0, easter],
  ['booked before the start and is within the free days', 'books', () => lessonsOn([-1, 6, 13]), 20, dateFromNow(-1)],
  ['booked before the start and is past the free days', 'books', () => lessonsOn(RUNNING), 40, null],
  ['books in a running course', 'books', () => lessonsOn(RUNNING), 0, dateFromNow(1)],
  ['books with one lesson ahead', 'books', () => lessonsOn([-14, -7, 1]), 0, dateFromNow(1)],
  ['is promoted before the start', 'moves up', () => lessonsOn([3, 10, 17]), 0, dateFromNow(3)],
  [
    'is promoted before the start, Christmas in the free days',
    'moves up',
    () => [`${year}-12-22 18:00`],
    0,
    `${year}-12-22`,
  ],
  ['is promoted in a running course', 'moves up', () => lessonsOn(RUNNING), 0, dateFromNow(1)],
  [
    'was promoted in a running course and is past the free days',
    'moves up',
    () => lessonsOn([-30, -23, -16, 1]),
    24,
    null,
  ],
  ['is promoted with one lesson ahead', 'moves up', () => lessonsOn([-14, -7, 1]), 0, dateFromNow(1)],
])(
  'response, list, e-mail and the next call state the same deadline for a person who %s',
  async (_case, way, lessons, ageDays, firstLesson) => {
    const dates = lessons()
    const [startsOn, endsOn] = [dates[0]?.slice(0, 10), dates.at(-1)?.slice(0, 10)]
    const { id } = await insertCourse(server.db, { dates, startsOn, endsOn, capacity: 1, feeCents: 7200 })
    const kim = await insertUserWithSession(server.db)
    const endOfPeriod = firstLesson && `${fifthWorkingDay(firstLesson)} 23:59`
    // Nobody can cancel once the last lesson has begun.
    const expected = endOfPeriod && [endOfPeriod, dates.at(-1) ?? ''].toSorted()[0]

    if (way === 'moves up') {
      const first = await insertUserWithSession(server.db)
      await book(first, id)
      const waiting = await book(kim, id)
      expect([waiting.cancellabel, waiting.cancelUntil]).toEqual([true, null])
      await cancel(first, id)
    } else {
      const offered = untilOf(await see(kim, id))
      const booked = await book(kim, id)
      expect(booked.status).toBe('Ok')
      expect(untilOf(booked)).toBe(offered)
    }
    await age(kim, ageDays)

    const [mine] = (await server.request(listBookedCourses, { token: kim.token })).body
    for (const course of [await see(kim, id), mine])
      expect([course && untilOf(course), course?.cancellabel]).toEqual([expected, expected !== null])
    if (ageDays === 0) {
      const words = await wordsTo(kim)
      expect(words.flatMap(pastDays)).toEqual([])
      const deadlines = words.flatMap(text => text.match(/Online stornieren bis: ([\d.:, ]*\d)/)?.[1] ?? [])
      expect([...new Set(deadlines)]).toEqual([german(expected ?? '')])
      expect(words.join()).not.toContain('nächste Person')
    }

    const answer = await cancel(kim, id)
    expect(answer.status).toBe(expected === null ? 'Failed' : 'Ok')
    expect(pastDays(answer.message)).toEqual([])
    expect((await wordsTo(kim)).at(0) ?? '').not.toContain('undefined')
  },
)

test('leaving the waiting list, or waiting in a running course, shows no deadline in the past', async () => {
  const { id } = await insertCourse(server.db, {
    dates: lessonsOn(RUNNING),
    startsOn: dateFromNow(-20),
    endsOn: dateFromNow(8),
    capacity: 1,
  })
  const [first, kim] = [await insertUserWithSession(server.db), await insertUserWithSession(server.db)]
  await book(first, id)
  await book(kim, id)
  expect((await cancel(kim, id)).status).toBe('Ok')
  const words = await wordsTo(kim)
  expect(words).toHaveLength(2)
  expect(words.flatMap(pastDays)).toEqual([])
  expect(words.join()).not.toContain('Online stornieren bis')
})
