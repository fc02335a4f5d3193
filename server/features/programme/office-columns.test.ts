// Fixed dates: an import treats past and future ones alike.
import { afterAll, expect, test } from 'vitest'
import { sql } from '#server/platform/db/client.ts'
import { insertBooking, insertWebUser } from '#server/test/factories.ts'
import { BASIC_FOLDER, COURSE_HEADER, countsOf, createImportTest } from '#server/test/import-folder.ts'

const subject = await createImportTest(BASIC_FOLDER)
afterAll(() => subject.close())

const course = (more: string) => `A-1,1,3,Rückenfit,2026-11-23,2026-12-14,18:00,19:00,10${more}\n`
const stateOf = () =>
  subject.db.one(sql`
    select s.is_draft, s.version as season, c.cancelled_at is not null as cancelled, c.note, c.taken
    from courses c join seasons s on s.id = c.season_id where number = 'A-1'`)

test('seasons are drafts and courses are cancelled according to their files, and remain so if the files do not mention it', async () => {
  const { db, folder, run } = subject
  await folder.write({
    'seasons.csv': 'id,name,draft\n1,Herbst,ja\n',
    'courses.csv': `${COURSE_HEADER},cancelled,note\n${course(',true,Wasserschaden')}`,
  })
  await run()
  const drafted = { is_draft: true, season: 1, cancelled: true, note: 'Wasserschaden', taken: 0 }
  expect(await stateOf()).toEqual(drafted)
  await folder.write({
    'seasons.csv': 'id,name,draft\n1,Herbst,\n',
    'courses.csv': `${COURSE_HEADER},cancelled\n${course(',')}`,
  })
  expect(await run()).toMatchObject({ hasChanged: false })
  await folder.write({ 'seasons.csv': 'id,name\n1,Herbst\n', 'courses.csv': `${COURSE_HEADER}\n${course('')}` })
  expect(await run()).toMatchObject({ hasChanged: false })
  await folder.write({
    'seasons.csv': 'id,name,draft\n1,Herbst,nein\n',
    'courses.csv': `${COURSE_HEADER},cancelled,note\n${course(',nein,')}`,
  })
  await run()
  const open = { ...drafted, is_draft: false, season: 2, cancelled: false, note: '' }
  expect(await stateOf()).toEqual(open)

  const { id } = await subject.course('A-1')
  const [booked, waiting] = [await insertWebUser(db), await insertWebUser(db)]
  await insertBooking(db, id, booked.id)
  await insertBooking(db, id, waiting.id, { state: 2 })
  await folder.write({ 'seasons.csv': 'id,name,draft\n1,Herbst,1\n' })
  expect(countsOf(await run())).toEqual(['seasons.csv:2: draft: the season has bookings and stays published'])
  await folder.write({
    'seasons.csv': 'id,name,draft\n1,Herbst,\n2,Frühjahr,1\n',
    'courses.csv': `${COURSE_HEADER}\n${course('').replace(/,1,/, ',2,')}`,
  })
  expect(countsOf(await run())).toEqual([
    'courses.csv:2: seasonId: the course has bookings, and this season is a draft',
  ])
  await folder.write({
    'seasons.csv': null,
    'courses.csv': `${COURSE_HEADER},cancelled\n${course(',1')}`,
  })
  expect(await run()).toMatchObject({ cancelled: [{ courseId: id, people: [booked.id, waiting.id] }] })
  expect(await stateOf()).toEqual({ ...open, cancelled: true, taken: 0 })
})

test('rooms are imported by name and site and linked to the courses at their venue', async () => {
  const { db, folder, run } = subject
  await folder.write({
    'rooms.csv': 'name,site,capacity,shared\nHalle 1,Lindhafen,20,\nHalle 1,Salzstadt,,ja\nBad,,,\n',
    'courses.csv': `${COURSE_HEADER},venue,city\n${course(',Halle 1,Salzstadt')}`,
  })
  expect(countsOf(await run())).toMatchObject({ 'rooms.csv': { created: 3 } })
  await folder.write({ 'rooms.csv': 'name,capacity\nBad,30\nBad,40\n' })
  expect(countsOf(await run())).toEqual(['rooms.csv:3: name + site: "Bad" + "" already stands in line 2'])
  await folder.write({ 'rooms.csv': 'name,capacity\nBad,30\n' })
  expect(countsOf(await run())).toMatchObject({ 'rooms.csv': { updated: 1 } })
  expect(await db.query(sql`select name, site, capacity, is_shared, version from rooms order by 1, 2`)).toEqual([
    { name: 'Bad', site: '', capacity: 30, is_shared: false, version: 2 },
    { name: 'Halle 1', site: 'Lindhafen', capacity: 20, is_shared: false, version: 1 },
    { name: 'Halle 1', site: 'Salzstadt', capacity: 0, is_shared: true, version: 1 },
  ])
})
