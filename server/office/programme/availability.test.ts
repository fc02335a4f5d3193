import { expect, test } from 'vitest'
import { listFree } from '#contract/office/planning.ts'
import { insertCourse, insertInstructor } from '#server/test/factories.ts'
import { openTestOffice } from '#server/test/office.ts'

const { server, act, token } = await openTestOffice(['programme'])
const { db } = server

test('free rooms and instructors for a weekly course come first; others state how often and by what they are occupied', async () => {
  const [free, busy, away] = [await insertInstructor(db), await insertInstructor(db), await insertInstructor(db)]
  const rooms = ['Halle Frei', 'Halle Belegt'].map(name => ({ name, site: '', capacity: 9, shared: false }))
  await act({ kind: 'create-rooms', rooms: [...rooms, { name: 'Bad', site: '', capacity: 0, shared: true }] })
  // Tuesdays; the 30th is in the Easter holidays.
  const dates = ['2100-03-02 18:30', '2100-03-09 18:30']
  const other = await insertCourse(db, {
    dates,
    name2: 'Strength',
    venue: 'Halle Belegt',
    instructorEmails: [busy.email],
  })
  await insertCourse(db, { dates, venue: 'Bad' })
  await act({
    kind: 'set-absence',
    instructorEmail: away.email,
    from: '2100-03-16',
    to: '2100-03-16',
    lessons: [],
  })
  const query = { from: '2100-03-02', to: '2100-03-20', startTime: '18:00', endTime: '19:00' }
  const read = async (more = {}) => (await server.request(listFree, { query: { ...query, ...more }, token })).body
  const found = await read()
  expect(found.dates).toEqual(['2100-03-02', '2100-03-09', '2100-03-16'])
  const ofRoom = (name: string) => found.rooms.find(room => room.name === name)
  expect(ofRoom('Halle Frei')).toMatchObject({ taken: 0, by: '' })
  expect(ofRoom('Bad')).toMatchObject({ taken: 0 })
  expect(ofRoom('Halle Belegt')).toMatchObject({ taken: 2, by: `${other.number} ${other.name}` })
  expect(found.rooms.at(-1)?.name).toBe('Halle Belegt')
  const ofInstructor = (email: string) => found.instructors.find(one => one.email === email)
  expect(ofInstructor(free.email)).toMatchObject({ taken: 0 })
  expect(ofInstructor(busy.email)).toMatchObject({ taken: 2 })
  expect(ofInstructor(away.email)).toMatchObject({ taken: 1 })
  const english = (await server.request(listFree, { query, token, language: 'en' })).body
  for (const { by } of [english.rooms.at(-1), english.instructors.find(({ email }) => email === busy.email)].flatMap(
    one => one ?? [],
  ))
    expect(by).toBe(`${other.number} Strength`)
  // The course itself and directly adjacent lessons are not reported as clashes.
  const own = await read({ courseId: String(other.id) })
  expect(own.rooms.every(({ taken }) => taken === 0)).toBe(true)
  const before = await read({ startTime: '17:00', endTime: '18:30' })
  expect(before.rooms.every(({ taken }) => taken === 0)).toBe(true)
})
