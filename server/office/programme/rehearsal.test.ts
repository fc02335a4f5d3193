import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bookCourse } from '#contract/endpoints/courses.ts'
import { rehearseOpening } from '#contract/office/rehearsal.ts'
import { EMPLOYEE_STATUS } from '#contract/values.ts'
import { sql } from '#server/platform/db/client.ts'
import {
  dateFromNow,
  insertCategory,
  insertCourse,
  insertSeason,
  insertUserWithSession,
  insertWebUser,
} from '#server/test/factories.ts'
import { insertOfficer, openTestOffice } from '#server/test/office.ts'

const { server, ...office } = await openTestOffice(['programme'])
const { Employee, External } = EMPLOYEE_STATUS

const rehearse = (seasonId: number, demandSeasonId: number, token = office.token) =>
  server.request(rehearseOpening, { body: { seasonId, demandSeasonId }, token })

const copy = async (seasonId: number, shortcut: string): Promise<number> => {
  const { result } = await office.act({
    kind: 'copy-season',
    seasonId,
    name: shortcut,
    shortcut,
    startsAt: dateFromNow(100),
    endsAt: dateFromNow(200),
    bookableFrom: `${dateFromNow(60)}T08:00`,
    viewableFrom: `${dateFromNow(50)}T08:00`,
  })
  return Number(result.seasonId)
}

/** Everything a rehearsal could change. */
const stored = () =>
  server.db.query(sql`
    select (select count(*) from web_users) as people, (select count(*) from bookings) as bookings,
      (select count(*) from mails) as mails, (select json_agg(c order by id) from courses c) as courses,
      (select json_agg(s order by id) from seasons s) as seasons`)

describe('a rehearsal', () => {
  test('replays what really happened: places, waiting lists and refusals of every course', {
    timeout: 120_000,
  }, async () => {
    const people = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        insertUserWithSession(server.db, { employeeStatus: index % 4 === 3 ? External : Employee }),
      ),
    )
    const request = fc.record({ person: fc.nat(7), course: fc.nat(2) })
    const season = fc.record({
      capacities: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 3, maxLength: 3 }),
      requests: fc.uniqueArray(request, { maxLength: 18, selector: ({ person, course }) => `${person} ${course}` }),
    })
    let nth = 0
    const property = fc.asyncProperty(season, async ({ capacities, requests }) => {
      nth += 1
      const { id: seasonId } = await insertSeason(server.db, { shortcut: `P${nth}` })
      const { id: categoryId } = await insertCategory(server.db)
      const courses = await Promise.all(
        capacities.map((capacity, index) =>
          insertCourse(server.db, { seasonId, categoryId, capacity, number: `P${nth}-${index}` }),
        ),
      )
      const refused = new Map<number, number>()
      for (const { person, course } of requests) {
        const id = courses[course]?.id ?? 0
        const { body } = await server.request(bookCourse, { body: { id }, token: people[person]?.token ?? '' })
        if (body.status !== 'Ok') refused.set(course, (refused.get(course) ?? 0) + 1)
      }
      const expected = await server.db.query<{ booked: number; waiting: number }>(sql`
        select (count(*) filter (where b.state = 1))::int as booked, (count(*) filter (where b.state = 2))::int as waiting
        from courses c left join bookings b on b.course_id = c.id where c.season_id = ${seasonId} group by c.id order by c.number`)
      await expect
        .poll(async () =>
          server.db.one(sql`
            select coalesce(sum(requests), 0)::int as refused from refused_requests r join courses c on c.id = r.course_id
            where c.season_id = ${seasonId}`),
        )
        .toEqual({ refused: [...refused.values()].reduce((sum, count) => sum + count, 0) })
      const draftId = await copy(seasonId, `Q${nth}`)
      const before = await stored()
      const { status, body } = await rehearse(draftId, seasonId)
      expect(status).toBe(200)
      expect(body.courses.map(({ booked, waiting, refused }) => ({ booked, waiting, refused }))).toEqual(
        expected.map((row, index) => ({ ...row, refused: refused.get(index) ?? 0 })),
      )
      expect(body).toMatchObject({ requests: requests.length, unassigned: 0 })
      expect(await stored()).toEqual(before)
    })
    await fc.assert(property, { numRuns: 8, endOnFailure: true })
  })

  test('names the second at which a course is full, the neighbours, and what one more course would give', async () => {
    const { id: seasonId } = await insertSeason(server.db, { shortcut: 'R1' })
    const { id: categoryId } = await insertCategory(server.db, { name: 'Yoga', name2: 'Yoga EN' })
    const [full, other] = [
      await insertCourse(server.db, { seasonId, categoryId, number: 'R1-1', capacity: 2 }),
      await insertCourse(server.db, {
        seasonId,
        categoryId,
        number: 'R1-2',
        capacity: 3,
        startTime: '20:00',
        endTime: '21:00',
      }),
    ]
    for (let nth = 0; nth < 8; nth += 1) {
      const { id } = await insertWebUser(server.db, { employeeStatus: Employee })
      await server.db.execute(sql`
        insert into bookings (course_id, web_user_id, seq, state, price_cents, employee_status, booked_at)
        select id, ${id}, ${100 + nth}, 2, 0, ${Employee}, opens_at + ${nth} * interval '700 ms' from courses where id = ${full.id}`)
    }
    const draftId = await copy(seasonId, 'R2')
    const { body } = await rehearse(draftId, seasonId)
    expect(body).toMatchObject({
      people: 8,
      requests: 8,
      courses: [
        { number: 'R2-1', booked: 2, waiting: 6, fullAfterMs: 700, peak: 2, basis: 'copy', unplaced: 3 },
        { number: 'R2-2', booked: 0, fullAfterMs: null, basis: 'copy', neighbours: [] },
      ],
      gains: [{ courseCategoryId: categoryId, category: 'Yoga', category2: 'Yoga EN', hour: 18, people: 3, places: 2 }],
    })
    expect(body.courses[0]?.neighbours).toEqual([
      { courseId: body.courses[1]?.courseId, number: 'R2-2', people: other ? 3 : 0 },
    ])
  })

  test('assigns demand without a copy by category, weekday and hour, and counts the rest', async () => {
    const { id: seasonId } = await insertSeason(server.db)
    const { id: draftId } = await insertSeason(server.db, { isDraft: true })
    const { id: categoryId } = await insertCategory(server.db)
    const earlier = await insertCourse(server.db, { seasonId, categoryId })
    const without = await insertCourse(server.db, { seasonId })
    await insertCourse(server.db, { seasonId: draftId, categoryId })
    const { token } = await insertUserWithSession(server.db, { employeeStatus: Employee })
    for (const { id } of [earlier, without]) await server.request(bookCourse, { body: { id }, token })
    const { body } = await rehearse(draftId, seasonId)
    expect(body).toMatchObject({ requests: 1, unassigned: 1, courses: [{ booked: 1, basis: 'similar' }] })
  })

  test('is refused for a published season, an unknown one, another right, and while another one is running', async () => {
    const { id: seasonId } = await insertSeason(server.db)
    const { id: draftId } = await insertSeason(server.db, { isDraft: true })
    expect((await rehearse(seasonId, seasonId)).status).toBe(409)
    expect((await rehearse(draftId, 2_000_000)).status).toBe(404)
    const { token } = await insertOfficer(server, ['billing'])
    expect((await rehearse(draftId, seasonId, token)).status).toBe(403)
    const meanwhile = await server.db.transaction(async tx => {
      await tx.execute(sql`select pg_advisory_xact_lock(hashtext('rehearsal'))`)
      return rehearse(draftId, seasonId)
    })
    expect(meanwhile.status).toBe(503)
    expect((await rehearse(draftId, seasonId)).status).toBe(200)
  })
})
