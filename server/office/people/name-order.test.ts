import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compareByName } from '#contract/name-order.ts'
import { listOfficePeople, listRights } from '#contract/office/office.ts'
import { getGateTable, getOfficeList } from '#contract/office/people.ts'
import { listFree } from '#contract/office/planning.ts'
import { getOfficeGrid, listOfficeInstructors } from '#contract/office/programme.ts'
import { sql } from '#server/platform/db/client.ts'
import { byName } from '#server/platform/db/name-order.ts'
import { dateFromNow, insertBooking, insertCourse, insertInstructor, insertWebUser } from '#server/test/factories.ts'
import { openTestOffice } from '#server/test/office.ts'

const { server, token, act } = await openTestOffice(['owner', 'bookings', 'programme', 'billing', 'content'])
const { db } = server

/** As in a German telephone book. */
const NAMES = [
  'Åberg',
  'Adler',
  'Ärmel',
  'Čapek',
  'Çelik',
  'zu Guttenstein',
  'von der Heide',
  'Mueller',
  'Müller',
  'Muster',
  'Oebel',
  'Öztürk',
  'Ott',
  'Strauß',
  'Strausser',
  'Świątek',
  'Von Wald',
  'de Vries',
  'Zander',
  'Żółciński',
]
const ofNames = (texts: string[]) => texts.map(text => NAMES.find(name => text.endsWith(name) || text.startsWith(name)))

test('every list has the names in the order of a telephone book', async () => {
  const day = dateFromNow(9)
  const course = await insertCourse(db, { city: 'Salzstadt', dates: [`${day} 17:30`], capacity: 50 })
  const shuffled = NAMES.toSorted()
  const taught = await insertCourse(db, {
    dates: [`${day} 17:30`],
    instructorEmails: await Promise.all(
      shuffled.map(async familyName => (await insertInstructor(db, { familyName, givenName: 'Alex' })).email),
    ),
  })
  for (const familyName of shuffled) {
    const { id } = await insertWebUser(db, { familyName, givenName: 'Robin', mobilePhone: '0511 1' })
    await insertBooking(db, course.id, id)
    await db.execute(sql`insert into office_rights (web_user_id, "right") values (${id}, 'content')`)
  }
  const read = async (file: string) => {
    const { body } = await server.request(getOfficeList, { params: { file }, token })
    return parse<Record<string, string>>(Buffer.from(body), { bom: true, delimiter: ';', columns: true })
  }
  const lists: Record<string, string[]> = {}
  for (const list of ['participants', 'bookings', 'attendance'])
    lists[list] = (await read(`${list}.csv`)).map(row => Object.values(row).find(cell => NAMES.includes(cell)) ?? '')
  const gate = await server.request(getGateTable, { token, query: { date: day, site: 'Salzstadt' } })
  lists.gate = parse<{ name: string }>(Buffer.from(gate.body), { bom: true, delimiter: ';', columns: true }).map(
    row => row.name,
  )
  const people: string[] = []
  for (let after = ''; people.length < NAMES.length; ) {
    const page = (await server.request(listOfficePeople, { token, query: { q: 'Robin', limit: '3', after } })).body
    people.push(...page.items.map(({ name }) => name))
    after = page.next ?? '0'
  }
  lists.people = people
  lists.rights = (await server.request(listRights, { token })).body.items
    .map(({ name }) => name)
    .filter(name => name.startsWith('Robin '))
  const [lesson] = await db.query<{ id: number }>(sql`select id from course_dates where course_id = ${course.id}`)
  const { consequences } = await act({
    kind: 'cancel-lesson',
    courseDateId: Number(lesson?.id),
    note: 'Halle zu',
    note2: 'Hall closed',
    preview: true,
  })
  lists.told = consequences.told.map(({ name }) => name)
  const plan = await server.request(getOfficeGrid, { token, query: { from: day, to: day } })
  lists.plan =
    plan.body.lessons.find(({ courseId }) => courseId === taught.id)?.instructors.map(({ name }) => name) ?? []
  const series = { from: dateFromNow(20), to: dateFromNow(20), startTime: '20:00', endTime: '21:00' }
  lists.free = (await server.request(listFree, { token, query: series })).body.instructors.map(({ name }) => name)
  const teaching: string[] = []
  for (let after: string | null = ''; after !== null; ) {
    const query: Record<string, string> = { limit: '5', ...(after && { after }) }
    const page = (await server.request(listOfficeInstructors, { token, query: query as never })).body
    teaching.push(...page.items.map(({ familyName }) => familyName))
    after = page.next
  }
  lists.instructors = teaching
  for (const [list, names] of Object.entries(lists)) expect([list, ofNames(names)]).toEqual([list, NAMES])
})

test('SQL and code sort any names alike', async () => {
  const letters = [..."aäAÄbcçČdeéÉfghiıjklłmnñoöøpqrsßśtuüvwxyzŻ '-"]
  const word = fc.string({ unit: fc.constantFrom(...letters), minLength: 1, maxLength: 5 })
  const familyName = fc.oneof(
    word,
    fc.tuple(fc.constantFrom('von', 'Von', 'de', 'd', 'zu', 'van der', 'aus dem'), word).map(parts => parts.join(' ')),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(fc.record({ familyName, givenName: word }), { maxLength: 200 }), async people => {
      const sorted = await db.query<{ familyName: string; givenName: string }>(sql`
        select p.family_name as "familyName", p.given_name as "givenName" from unnest(
          ${people.map(one => one.familyName)}::text[], ${people.map(one => one.givenName)}::text[]
        ) with ordinality p (family_name, given_name, n) order by ${byName('p')}, p.n`)
      expect(sorted).toEqual(people.toSorted(compareByName))
    }),
    { numRuns: 20 },
  )
})
