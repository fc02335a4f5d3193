// Fixed dates: school holidays of later years are not known; past seasons are copied alike.
import { describe, expect, test } from 'vitest'
import { getCourse } from '#contract/endpoints/courses.ts'
import { sql } from '#server/platform/db/client.ts'
import { insertBooking, insertCourse, insertInstructor, insertSeason, insertWebUser } from '#server/test/factories.ts'
import { openTestOffice, type TestAct } from '#server/test/office.ts'
import { planCopiedLessons, toCopiedCourseNumber } from './season-rules.ts'

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
  const from = { startsAt: '2026-08-24', endsAt: '' }
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
    expect(planCopiedLessons('DE-NI', lessons, from, to).map(at => at.slice(0, 16))).toEqual(expected)
  })

  test.each([
    ['H26-100', 'H26', 'F27', 'F27-100'],
    ['H26100', 'H26', 'F27', 'F27-H26100'],
    ['100', '', 'F27', 'F27-100'],
    ['-100', '', 'F27', 'F27--100'],
  ])('renumbers %s of %s in %s to %s', (number, old, next, expected) => {
    expect(toCopiedCourseNumber(number, old, next)).toBe(expected)
  })
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
