// Fixed dates: school holidays of later years are not known; past seasons are copied alike.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { getCourse } from '#contract/endpoints/courses.ts'
import { MAX_ID } from '#contract/values.ts'
import { addDays } from '#server/features/programme/cell-parsers.ts'
import { isHoliday, weekdayOf } from '#server/features/programme/schedule.ts'
import { sql } from '#server/platform/db/client.ts'
import { insertBooking, insertCourse, insertInstructor, insertSeason, insertWebUser } from '#server/test/factories.ts'
import { insertOfficer, openTestOffice, type TestAct } from '#server/test/office.ts'
import { createRealFolder, hasRealProgrammes } from '#server/test/real-programmes.ts'
import { listLessonsToCopy, planCopiedLessons, toCopiedCourseNumber } from './season-rules.ts'

const { server, ...office } = await openTestOffice(['programme'])

const daysOf = async (number: string) => {
  const rows = await server.db.query<{ at: string }>(sql`
    select held_at as at from course_dates d join courses c on c.id = d.course_id where c.number = ${number} order by 1`)
  return rows.map(({ at }) => at.slice(0, 16))
}

describe('a season', () => {
  test('is created as a draft, changed and published, and opens its courses at its booking time', async () => {
    const made = await office.actAsPreviewed({
      kind: 'create-season',
      name: 'Herbst',
      name2: 'Autumn',
      shortcut: 'H27',
      startsAt: '2100-08-23',
      endsAt: '2100-12-17',
      bookableFrom: '2026-06-01T08:00',
      viewableFrom: '2026-05-01T08:00',
    })
    const seasonId = Number(made.result.seasonId)
    const course = await insertCourse(server.db, { seasonId, startsOn: '2100-09-06' })
    const see = () => server.request(getCourse, { params: { id: course.id } })
    expect((await see()).status).toBe(404)
    expect((await office.act({ kind: 'publish-season', seasonId })).status).toBe('Ok')
    expect((await see()).body).toMatchObject({ season: 'Herbst', season2: 'Autumn', seasonBookable: true })
    const later = { kind: 'change-season', seasonId, bookableFrom: '2100-06-01T08:00' } as const
    expect(await office.act({ ...later, version: 1 })).toMatchObject({ status: 'Changed' })
    expect(await office.act({ ...later, version: 2 })).toMatchObject({ status: 'Ok', version: 3 })
    expect((await see()).body).toMatchObject({ seasonBookable: false })
    expect((await office.act({ kind: 'change-season', seasonId, endsAt: '2100-01-01' })).status).toBe('Failed')
    expect((await office.act({ kind: 'change-season', seasonId: 2_000_000, name: 'x' })).status).toBe('Failed')
  })
})

describe('a copied season', () => {
  test('contains every course that is not cancelled, on the same weekdays, without data of the old season', async () => {
    const { email } = await insertInstructor(server.db)
    const { id: oldId } = await insertSeason(server.db, {
      shortcut: 'H26',
      startsAt: '2026-08-24 00:00:00',
      endsAt: '2026-12-18 00:00:00',
    })
    const course = await insertCourse(server.db, {
      seasonId: oldId,
      number: 'H26-100',
      startsOn: '2026-08-24',
      endsOn: '2026-09-07',
      venue: 'Halle 9',
      textWeb: 'Gut',
      isConfirmed: true,
      feeCents: 500,
      bookableFrom: '2026-01-01',
      instructorEmails: [email],
      meetingUrl: 'https://a.example',
      dates: ['2026-08-24 18:00', '2026-08-26 18:00', '2026-08-31 18:00', '2026-09-02 18:00', '2026-09-07 18:00'],
    })
    await insertBooking(server.db, course.id, (await insertWebUser(server.db)).id)
    await insertCourse(server.db, { seasonId: oldId, number: 'H26-101', cancelledAt: '2026-09-01' })
    await insertCourse(server.db, {
      seasonId: oldId,
      number: 'Sonder',
      startsOn: '2026-08-25',
      dates: ['2026-08-25 10:00'],
    })
    const copy: Extract<TestAct, { kind: 'copy-season' }> = {
      kind: 'copy-season',
      seasonId: oldId,
      name: 'Frühjahr 27',
      shortcut: 'F27',
      startsAt: '2027-03-15',
      endsAt: '2027-04-07',
      bookableFrom: '2027-01-01T08:00',
      viewableFrom: '2027-01-01T08:00',
    }
    const versionOfOld = () => server.db.one(sql`select version from seasons where id = ${oldId}`)
    const version = await versionOfOld()
    const done = await office.actAsPreviewed(copy)
    expect(await versionOfOld()).toEqual(version)
    expect(done).toMatchObject({ status: 'Ok', consequences: { mails: 0, booked: [] } })
    const rows = await server.db.query(sql`
      select number, venue, text_web, is_confirmed, fee_cents, bookable_from, taken, meeting_url, starts_on, ends_on,
        array(select email from course_instructors i where i.course_id = c.id) as teachers
      from courses c where season_id = ${Number(done.result.seasonId)} order by number`)
    expect(rows).toMatchObject([
      {
        number: 'F27-100',
        venue: 'Halle 9',
        text_web: 'Gut',
        is_confirmed: false,
        fee_cents: 500,
        bookable_from: null,
        taken: 0,
        meeting_url: 'https://a.example',
        teachers: [email],
        starts_on: '2027-03-15',
        ends_on: '2027-04-07',
      },
      { number: 'F27-Sonder' },
    ])
    // Easter holidays from 22 March to 2 April, and Easter Monday before them.
    expect(await daysOf('F27-100')).toEqual([
      '2027-03-15 18:00',
      '2027-03-17 18:00',
      '2027-04-05 18:00',
      '2027-04-07 18:00',
    ])
    expect(await daysOf('F27-Sonder')).toEqual(['2027-03-16 10:00'])
    const { draft } = await server.db.one<{ draft: boolean }>(sql`
      select is_draft as draft from seasons where id = ${Number(done.result.seasonId)}`)
    expect(draft).toBe(true)
    expect((await office.act(copy)).status).toBe('Failed')
    expect((await office.act({ ...copy, seasonId: 2_000_000, shortcut: 'X' })).status).toBe('Failed')
  })

  const lesson = (at: string, more = {}) => ({ at: `${at}:00`, isExtra: false, isPlanned: true, ...more })
  const from = '2026-08-24'
  const to = { startsAt: '2027-01-04', endsAt: '2027-03-19' }
  test.each([
    ['its first day', [lesson('2026-08-24 18:00')], ['2027-01-04 18:00']],
    [
      'a lesson moved, one that fell out, and one in its place',
      [
        lesson('2026-08-24 18:00'),
        lesson('2026-08-31 18:00', { isPlanned: false }),
        lesson('2026-09-05 10:00', { isExtra: true }),
      ],
      ['2027-01-04 18:00', '2027-01-11 18:00'],
    ],
    [
      'a second weekday that was added',
      ['2026-08-24 18:00', '2026-08-26 18:00', '2026-08-31 18:00', '2026-09-02 18:00'].map(at =>
        lesson(at, { isExtra: at.includes('26 ') || at.includes('-02 ') }),
      ),
      ['2027-01-04 18:00', '2027-01-06 18:00', '2027-01-11 18:00', '2027-01-13 18:00'],
    ],
    ['a beginning in the third week', [lesson('2026-09-07 18:00')], ['2027-01-18 18:00']],
  ])('keeps %s', (_, lessons, expected) => {
    const { heldAt, review } = planCopiedLessons('DE-NI', listLessonsToCopy(lessons), from, to)
    expect(heldAt.map(at => at.slice(0, 16))).toEqual(expected)
    expect(review).toEqual([])
  })

  const mondays = ['11-09', '11-16', '11-23', '11-30', '12-07', '12-14', '12-21'].map(day => `2026-${day} 18:00:00`)
  test.each([
    ['one lesson on another day', mondays.with(3, '2026-12-01 18:00:00'), ['2027-11-30 18:00:00']],
    ['a special lesson', [...mondays, '2026-12-05 10:00:00'].sort(), ['2027-12-04 10:00:00']],
    ['a fortnightly rhythm', mondays.filter((_, index) => index % 2 === 0), []],
  ])('keeps %s as it is', (_, times, reviewed) => {
    const { heldAt, review } = planCopiedLessons('DE-NI', times, '2026-11-01', {
      startsAt: '2027-11-01',
      endsAt: '2028-03-31',
    })
    const shifted = times.map(at => `${addDays(at.slice(0, 10), 52 * 7)}${at.slice(10)}`)
    expect(heldAt).toEqual(shifted)
    expect(review.map(({ to }) => to)).toEqual(reviewed)
  })

  test('replaces a fortnightly lesson on a holiday two weeks after the last one', () => {
    const times = ['2026-09-07', '2026-09-21', '2026-10-05'].map(day => `${day} 18:00:00`)
    const { heldAt } = planCopiedLessons('DE-NI', times, '2026-08-31', { startsAt: '2027-03-01', endsAt: '2027-06-30' })
    expect(heldAt.map(at => at.slice(0, 10))).toEqual(['2027-03-08', '2027-04-05', '2027-04-19'])
  })

  test('has only lessons shifted by the same number of weeks, or later ones of the same slot', () => {
    const course = fc.uniqueArray(fc.record({ day: fc.nat(100), hour: fc.integer({ min: 8, max: 20 }) }), {
      minLength: 1,
      maxLength: 20,
      selector: ({ day, hour }) => `${day} ${hour}`,
    })
    fc.assert(
      fc.property(course, fc.nat(700), fc.integer({ min: 1, max: 250 }), (lessons, start, length) => {
        const times = lessons
          .map(({ day, hour }) => `${addDays('2026-08-24', day)} ${String(hour).padStart(2, '0')}:00:00`)
          .sort()
        const startsAt = addDays('2026-12-01', start)
        const endsAt = addDays(startsAt, length)
        const { heldAt, review } = planCopiedLessons('DE-NI', times, '2026-08-24', { startsAt, endsAt })
        const days = heldAt.map(at => at.slice(0, 10))
        expect(new Set(heldAt).size).toBe(heldAt.length)
        expect(heldAt).toEqual(heldAt.toSorted())
        expect(days.filter(day => day < startsAt || day > endsAt || isHoliday('DE-NI', day))).toEqual([])
        const slotOf = (at: string) => `${weekdayOf(at.slice(0, 10))}${at.slice(10)}`
        const left = Map.groupBy(times, slotOf)
        for (const [slot, copies] of Map.groupBy(heldAt, slotOf))
          expect(copies.length).toBeLessThanOrEqual(left.get(slot)?.length ?? 0)
        expect(heldAt).toEqual(expect.arrayContaining(review.map(({ to }) => to)))
        if (length > 230) expect(heldAt).toHaveLength(times.length)
      }),
    )
  })

  /** Most frequent number of days between two lessons. */
  const gapOf = (times: readonly string[]) => {
    const days = times.map(at => Date.parse(at.slice(0, 10)) / 86_400_000)
    const gaps = Map.groupBy(
      days.slice(1).map((day, index) => day - (days[index] ?? day)),
      gap => gap,
    )
    return [...gaps.values()].sort((a, b) => b.length - a.length || (a[0] ?? 0) - (b[0] ?? 0))[0]?.[0] ?? 0
  }
  test.skipIf(!hasRealProgrammes).each(['bern.json', 'fribourg.json'])(
    'keeps weekdays, times and rhythm of each course of %s',
    { tags: 'extended', timeout: 120_000 },
    async source => {
      const folder = await createRealFolder(source)
      const rows = (await readFile(join(folder.path, 'course-dates.csv'), 'utf8')).trim().split(/\r?\n/).slice(1)
      await folder.remove()
      const lessons = rows.map(row => row.split(',')).map(([number = '', at = '']) => ({ number, at }))
      const wallClock = (at: string) => `${at.slice(0, 10)} ${at.slice(11, 16) || '18:00'}:00`
      const courses = [...Map.groupBy(lessons, ({ number }) => number)].map(([number, own]) => ({
        number,
        times: [...new Set(own.map(({ at }) => wallClock(at)))].sort(),
      }))
      const days = lessons.map(({ at }) => at.slice(0, 10)).sort()
      const [from = '', last = ''] = [days[0], days.at(-1)]
      const to = { startsAt: addDays(from, 52 * 7), endsAt: addDays(last, 110 * 7) }
      const slotOf = (at: string) => `${weekdayOf(at.slice(0, 10))}${at.slice(10)}`
      const changed: string[] = []
      const reviewed: string[] = []
      for (const { number, times } of courses) {
        const { heldAt, review } = planCopiedLessons('DE-NI', times, from, to)
        const copies = Map.groupBy(heldAt, slotOf)
        const isKept = [...Map.groupBy(times, slotOf)].every(([slot, own]) => {
          const copied = copies.get(slot) ?? []
          // Lessons on a holiday follow after the last one, so that two or three may have another interval.
          return copied.length === own.length && (own.length < 5 || gapOf(copied) === gapOf(own))
        })
        if (!isKept || heldAt.length !== times.length) changed.push(number)
        if (review.length > 0) reviewed.push(number)
      }
      console.log(`${source}: ${courses.length} courses, ${reviewed.length} with lessons to review`)
      expect(changed).toEqual([])
    },
  )

  test.each([
    ['H26-100', 'H26', 'F27', 'F27-100'],
    ['H26100', 'H26', 'F27', 'F27-H26100'],
    ['100', '', 'F27', 'F27-100'],
    ['-100', '', 'F27', 'F27--100'],
  ])('renumbers %s of %s in %s to %s', (number, old, next, expected) => {
    expect(toCopiedCourseNumber(number, old, next)).toBe(expected)
  })
})

test('instructors of a copied season are notified at its publication, each once and only of the own courses', async () => {
  const { id: seasonId } = await insertSeason(server.db, { shortcut: 'N26', startsAt: '2099-08-24 00:00:00' })
  const colleague = await insertOfficer(server, ['programme'])
  const [anna, bela] = [await insertWebUser(server.db), await insertWebUser(server.db)]
  const carla = await insertInstructor(server.db)
  for (const { email } of [anna, bela]) await insertInstructor(server.db, { email })
  const values = { seasonId, dates: ['2099-08-24 18:00', '2099-08-31 18:00', '2099-09-07 18:00', '2099-09-14 18:00'] }
  const special = [...values.dates, '2099-09-19 10:00']
  const dates = values.dates.map(at => at.replace('18:00', '08:00'))
  await insertCourse(server.db, { ...values, dates, number: 'N26-1', name: 'Yoga', instructorEmails: [anna.email] })
  const courses = { ...values, instructorEmails: [anna.email, bela.email] }
  await insertCourse(server.db, { ...courses, number: 'N26-2', name: 'Judo', dates: special })
  await insertCourse(server.db, { ...values, number: 'N26-3', name: 'Tanz', instructorEmails: [carla.email] })
  const copied = await office.actAsPreviewed({
    kind: 'copy-season',
    seasonId,
    name: 'Herbst',
    shortcut: 'N27',
    startsAt: '2100-08-23',
    endsAt: '2100-12-17',
    bookableFrom: '2100-06-01T08:00',
    viewableFrom: '2100-05-01T08:00',
  })
  expect(copied.consequences).toMatchObject({ mails: 0, messages: 0, told: [] })
  const review = [
    {
      number: 'N27-2',
      name: 'Judo',
      from: '2099-09-19T10:00',
      to: '2100-09-18T10:00',
      why: 'Außerhalb des üblichen Wochentags oder der üblichen Uhrzeit',
    },
  ]
  expect(copied.result.review).toEqual(review)
  expect(copied.consequences.made?.review).toEqual(review)
  const published = await office.actAsPreviewed({ kind: 'publish-season', seasonId: Number(copied.result.seasonId) })
  expect(published.consequences.told.map(({ id }) => id).sort()).toEqual([0, anna.id, bela.id])
  const textsOf = async (id: number) =>
    (await server.db.query<{ text: string }>(sql`select text from inbox_items where web_user_id = ${id}`)).map(
      ({ text }) => text,
    )
  expect(await textsOf(colleague.id)).toEqual([])
  expect(await textsOf(anna.id)).toEqual([expect.stringMatching(/Yoga \(N27-1\).*Judo \(N27-2\)/)])
  expect(await textsOf(bela.id)).toEqual([expect.stringContaining('Judo (N27-2)')])
  expect((await textsOf(bela.id)).join()).not.toMatch(/Yoga|@/)
})

test('categories, divisions and instructors are created and changed by their key', async () => {
  const made = await office.act({ kind: 'save-category', name: 'Wasser', name2: 'Water', icon: 'pool' })
  const id = Number(made.result.id)
  expect(await office.act({ kind: 'save-category', id, name2: 'Pool', version: 1 })).toMatchObject({
    status: 'Ok',
    version: 2,
  })
  expect(await office.act({ kind: 'save-category', id, name2: 'Sea', version: 1 })).toMatchObject({ status: 'Changed' })
  expect(await server.db.one(sql`select name, name2, icon from categories where id = ${id}`)).toEqual({
    name: 'Wasser',
    name2: 'Pool',
    icon: 'pool',
  })
  expect((await office.act({ kind: 'save-division', id: 2_000_000, onlineOnly: true })).status).toBe('Failed')
  // The id is a key as in the import files, so an unused one creates the row, unless the version of a row is expected.
  const unknown = { kind: 'save-division', id: MAX_ID, name: 'Letzter' } as const
  expect(await office.act({ ...unknown, version: 1 })).toMatchObject({ status: 'Failed' })
  expect(await office.act(unknown)).toMatchObject({ status: 'Ok', result: { id: MAX_ID } })
  const division = await office.act({ kind: 'save-division', name: 'Werk', onlineOnly: true })
  expect(
    await server.db.one(sql`select name, is_online_only from divisions where id = ${Number(division.result.id)}`),
  ).toEqual({ name: 'Werk', is_online_only: true })
  const instructor = { kind: 'save-instructor', email: 'neu@demo.example' } as const
  expect((await office.act({ ...instructor, givenName: 'Ada' })).status).toBe('Failed')
  expect(await office.act({ ...instructor, familyName: 'Alt', courses: 'Yoga' })).toMatchObject({
    status: 'Ok',
    version: 1,
  })
  expect(await office.act({ ...instructor, givenName: 'Ada', version: 1 })).toMatchObject({ status: 'Ok', version: 2 })
  expect(await office.act({ ...instructor, givenName: 'Eva', version: 1 })).toMatchObject({ status: 'Changed' })
})
