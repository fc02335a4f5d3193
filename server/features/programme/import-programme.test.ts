// Fixed dates: an import treats past and future ones alike.
import { expect, test } from 'vitest'
import { runImport } from '#server/commands/import.ts'
import { readConfig } from '#server/platform/config/config.ts'
import { type Database, sql } from '#server/platform/db/client.ts'
import { dateFromNow, insertBooking, insertWebUser } from '#server/test/factories.ts'
import {
  BASIC_FOLDER,
  COURSE_HEADER,
  COURSES,
  countsOf,
  dumpTables,
  openImport,
  SEASONS,
} from '#server/test/import-folder.ts'
import { buildWorkbook } from '#server/test/workbook.ts'

const revision = async (db: Database) =>
  (await db.one<{ revision: number }>(sql`select revision from programme`)).revision

test('importing the same folder again changes nothing', async () => {
  const { db, run } = await openImport(BASIC_FOLDER)
  expect(countsOf(await run())).toMatchObject({
    'seasons.csv': { created: 1 },
    'courses.csv': { created: 2, unchanged: 0 },
    'course-dates.csv': { created: 8 },
  })
  expect(await revision(db)).toBe(1)
  const before = await dumpTables(db)
  const outcome = await run()
  expect(outcome).toMatchObject({ isDone: true, hasChanged: false })
  expect(countsOf(outcome)).toMatchObject({ 'courses.csv': { created: 0, updated: 0, unchanged: 2, removed: 0 } })
  expect(await dumpTables(db)).toEqual(before)
})

test('only a changed row is updated, by its key', async () => {
  const { db, folder, run, course } = await openImport(BASIC_FOLDER)
  await run()
  const before = [await course('A-1'), await course('A-2')]
  await folder.write({ 'courses.csv': COURSES.replace('Rückenfit', 'Rücken aktiv') })
  expect(countsOf(await run())).toMatchObject({ 'courses.csv': { updated: 1, unchanged: 1 } })
  // The sequence number tells calendars with the old name about the new one.
  const counted = {
    revision: Number(before[0]?.revision) + 1,
    version: Number(before[0]?.version) + 1,
    calendar_sequence: expect.any(Number),
    calendar_changed_at: expect.any(Date),
    calendar_sequence2: expect.any(Number),
    calendar_changed_at2: expect.any(Date),
  }
  expect(await course('A-1')).toEqual({ ...before[0], name: 'Rücken aktiv', ...counted })
  expect(await course('A-2')).toEqual(before[1])
  expect(await revision(db)).toBe(2)
})

test('twelve different mistakes result in twelve lines and exit status 1, and nothing is changed', async () => {
  const { db, folder, run } = await openImport(BASIC_FOLDER)
  await run()
  const before = await dumpTables(db)
  await folder.write({
    'seasons.csv': 'id,name,startsAt,endsAt\n1,Herbst,2026-11-01,2026-10-01\n',
    'categories.csv': 'id,name,colour\n3,Fitness,red\n',
    'courses.csv': `${COURSE_HEADER},fee
A-1,9,3,"Rücken
fit",2026-11-23,2026-12-14,18:00,19:00,10,0
A-2,1,3,Yoga,31.02.2026,2026-12-15,17:00,18:30,12,0
A-3,1,3,,2026-11-24,2026-12-15,17:00,18:30,12,0
A-4,1,3,Tanz,2026-11-24,2026-11-15,17:00,18:30,12,0
A-5,1,3,Boxen,2026-11-24,2026-12-15,17:00,16:30,12,0
A-6,1,3,Aqua,2026-11-24,2026-12-15,17:00,18:30,viele,0
A-7,1,3,Judo,2026-11-24,2026-12-15,17:00,18:30,12,-5
A-7,1,3,Judo,2026-11-24,2026-12-15,17:00,18:30,12,5
`,
    'content.csv': 'contentType,pictureFileName\nFlyer,missing.webp\n',
    'kurse.csv': 'a\n',
  })
  const output = { stdout: '', stderr: '' }
  const sink = (name: keyof typeof output) => ({
    write: (text: string) => {
      output[name] += text
    },
  })
  const status = await runImport(
    db,
    { ...readConfig({}), demoAccounts: 'until-import', dataDir: folder.path, publicUrl: '' },
    { folder: folder.path },
    { stdout: sink('stdout'), stderr: sink('stderr') },
  )
  expect(status).toBe(1)
  const lines = output.stderr.split('\n').filter(line => /^\S+:\d+: /.test(line))
  expect(lines).toEqual([
    expect.stringMatching(/^kurse\.csv:1: file: is not one of divisions\.csv, seasons\.csv/),
    expect.stringMatching(/^categories\.csv:1: colour: is not a column of this file/),
    'courses.csv:2: seasonId: "9" is neither in seasons.csv nor in the portal',
    'courses.csv:4: start: "31.02.2026" is not a date such as 2026-11-21 or 21.11.2026 (row 3 in a spreadsheet)',
    'courses.csv:5: name: is required (row 4 in a spreadsheet)',
    'courses.csv:6: end: 2026-11-15 is before start 2026-11-24 (row 5 in a spreadsheet)',
    'courses.csv:7: endTime: 16:30:00 is before startTime 17:00:00 (row 6 in a spreadsheet)',
    'courses.csv:8: participants: "viele" is not a whole number (row 7 in a spreadsheet)',
    'courses.csv:9: fee: "-5" is less than 0 (row 8 in a spreadsheet)',
    'courses.csv:10: number: "A-7" already stands in line 9 (row 9 in a spreadsheet)',
    'seasons.csv:2: endsAt: 2026-10-01 00:00:00 is before startsAt 2026-11-01 00:00:00',
    'content.csv:2: pictureFileName: "missing.webp" is neither in files/ nor in the portal',
  ])
  expect(output.stdout).toBe('')
  expect(await dumpTables(db)).toEqual(before)
})

test('accepts semicolons, a BOM, German dates and numbers, and any column order', async () => {
  const { folder, run, course } = await openImport(BASIC_FOLDER)
  await folder.write({
    'courses.csv': `\ufeffparticipants;name;start;end;endTime;startTime;courseCategoryId;seasonId;number;fee;confirmed;bookableFrom\r
10;Rückenfit;23.11.2026;14.12.2026;19:00;18:00;3;1;A-1;12,50;ja;20.11.2026 07:30\r
`,
  })
  await run()
  expect(await course('A-1')).toMatchObject({
    name: 'Rückenfit',
    day: 1,
    starts_on: '2026-11-23',
    fee_cents: 1250,
    is_confirmed: true,
    opens: '2026-11-20 07:30:00',
    closes: '2026-12-14 18:00:00',
  })
})

test('a course opens at its own time, otherwise with its season, otherwise immediately', async () => {
  const { folder, run, course } = await openImport(BASIC_FOLDER)
  await run()
  const before = await course('A-1')
  expect(before).toMatchObject({ opens: '2026-11-01 08:00:00' })
  await folder.write({ 'seasons.csv': SEASONS.replace('2026-11-01 08:00', ''), 'courses.csv': null })
  expect(await run()).toMatchObject({ hasChanged: true })
  expect(await course('A-1')).toMatchObject({ opens: '2000-01-01 00:00:00', revision: Number(before.revision) + 1 })
})

test('without a share of its own, an imported course requires 80 % of its lessons for a certificate', async () => {
  const { folder, run, course } = await openImport(BASIC_FOLDER)
  await run()
  expect(await course('A-1')).toMatchObject({ certificate_share: 80 })
  await folder.write({
    'courses.csv': COURSES.replace('participants', 'participants,certificateShare')
      .replace(',10\n', ',10,50\n')
      .replace(',12\n', ',12,\n'),
  })
  await run()
  expect([await course('A-1'), await course('A-2')]).toMatchObject([
    { certificate_share: 50 },
    { certificate_share: 80 },
  ])
})

test('a share that a workbook shows as a percentage is imported as shown', async () => {
  const { folder, run, course } = await openImport(BASIC_FOLDER)
  await run()
  const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`
  const shares = [text('certificateShare'), '<c s="1"><v>1</v></c>', '<c s="1"><v>0.75</v></c>']
  const rows = COURSES.trim()
    .split('\n')
    .map((line, index) => `<row>${line.split(',').map(text).join('')}${shares[index]}</row>`)
  const workbook = await buildWorkbook({ sheets: { courses: rows.join('') }, formats: ['0%'] })
  await folder.write({ 'courses.csv': null, 'courses.xlsx': workbook })
  expect(await run()).toMatchObject({ hasChanged: true })
  expect([await course('A-1'), await course('A-2')]).toMatchObject([
    { certificate_share: 100 },
    { certificate_share: 75 },
  ])
})

test('a single file may refer to existing data, and columns that it lacks remain unchanged', async () => {
  const { folder, run, course } = await openImport(BASIC_FOLDER)
  await folder.write({
    'courses.csv': COURSES.replace('participants\n', 'participants,city\n').replaceAll(/(,1[02])$/gm, '$1,Lindhafen'),
  })
  await run()
  await folder.write({
    'seasons.csv': null,
    'categories.csv': null,
    'courses.csv': COURSES.replace('Yoga', 'Hatha-Yoga'),
  })
  expect(countsOf(await run())).toMatchObject({ 'courses.csv': { updated: 1, unchanged: 1 } })
  expect(await course('A-2')).toMatchObject({ name: 'Hatha-Yoga', city: 'Lindhafen' })
  await folder.write({
    'courses.csv': COURSES.replace('Yoga', 'Hatha-Yoga').replace('participants\n', 'participants,city\n'),
  })
  await run()
  expect(await course('A-2')).toMatchObject({ city: '' })
})

test('a dry run validates and reports but changes nothing', async () => {
  const { db, run } = await openImport(BASIC_FOLDER)
  const before = await dumpTables(db)
  expect(countsOf(await run({ isDryRun: true }))).toMatchObject({ 'courses.csv': { created: 2 } })
  expect(await dumpTables(db)).toEqual(before)
})

test('only --prune removes courses missing from the folder, and never one that was ever booked', async () => {
  const { db, folder, run, course } = await openImport(BASIC_FOLDER)
  await run()
  const { id } = await course('A-2')
  const user = await insertWebUser(db)
  await insertBooking(db, id, user.id, { cancelledAt: new Date() })
  await db.execute(sql`update courses set taken = 0 where id = ${id}`)
  await folder.write({ 'courses.csv': `${COURSE_HEADER}\nA-3,1,3,Neu,2026-11-23,2026-12-14,18:00,19:00,10\n` })
  expect(countsOf(await run())).toMatchObject({ 'courses.csv': { created: 1, removed: 0 } })
  const outcome = await run({ isPrune: true })
  expect(countsOf(outcome)).toMatchObject({ 'courses.csv': { removed: 1 }, 'course-dates.csv': { removed: 4 } })
  expect(outcome).toMatchObject({ notes: [expect.stringContaining('Course A-2')] })
  expect(await db.query(sql`select number from courses order by 1`)).toEqual([{ number: 'A-2' }, { number: 'A-3' }])
  await folder.write({ 'courses.csv': null })
  expect(await run({ isPrune: true })).toMatchObject({ hasChanged: false })
})

test('a capacity below the number of confirmed bookings is rejected, and additional seats go to the waiting list', async () => {
  const { db, folder, run, course } = await openImport(BASIC_FOLDER)
  // Not an ended course, because its waiting list is not promoted. Ten weeks are longer than any school holidays.
  const row = `A-1,1,3,Rückenfit,${dateFromNow(7)},${dateFromNow(77)},18:00,19:00`
  const withPlaces = (places: number) => ({ 'courses.csv': `${COURSE_HEADER}\n${row},${places}\n` })
  await folder.write(withPlaces(2))
  await run()
  const { id } = await course('A-1')
  const users = []
  for (let count = 0; count < 4; count += 1) users.push(await insertWebUser(db))
  for (const user of users) await insertBooking(db, id, user.id)

  await folder.write(withPlaces(1))
  expect(countsOf(await run())).toEqual(['courses.csv:2: participants: 1 is less than the 2 places already booked'])
  await folder.write(withPlaces(3))
  await run()
  expect(await db.query(sql`select web_user_id, state from bookings order by seq`)).toEqual(
    users.map(({ id }, index) => ({ web_user_id: id, state: index < 3 ? 1 : 2 })),
  )
  expect(await db.query(sql`select web_user_id, kind from mails`)).toEqual([
    { web_user_id: users[2]?.id, kind: 'promotion' },
  ])
  expect(await course('A-1')).toMatchObject({ taken: 4, capacity: 3 })
})

test('concurrent imports are serialized', async () => {
  const { run } = await openImport(BASIC_FOLDER)
  const told: string[] = []
  const onProgress = (text: string) => told.push(text)
  const outcomes = await Promise.all([run({ onProgress }), run({ onProgress }), run({ onProgress })])
  expect(told.filter(text => text.startsWith('another import is running'))).not.toEqual([])
  expect(outcomes.filter(outcome => outcome.isDone && outcome.hasChanged)).toHaveLength(1)
  expect(outcomes.every(outcome => outcome.isDone)).toBe(true)
})

test('at most 1,000 mistakes are listed, and the others are counted', async () => {
  const { folder, run } = await openImport(BASIC_FOLDER)
  const rows = Array.from({ length: 1005 }, (_, index) => `B-${index},1,3,Kurs,nie,2026-12-14,18:00,19:00,10`)
  await folder.write({ 'courses.csv': `${COURSE_HEADER}\n${rows.join('\n')}\n` })
  const problems = countsOf(await run())
  expect(problems).toHaveLength(1001)
  expect(Object.values(problems).at(-1)).toBe('… and 5 more')
})

test('a missing required column, an empty file and a broken file result in one line each, without consequential errors', async () => {
  const { folder, run } = await openImport(BASIC_FOLDER)
  await folder.write({
    'seasons.csv': '',
    'categories.csv': 'id,name\n3,"Fitness\n',
    'courses.csv': COURSES.replace(',participants', '').replaceAll(/,1[02]$/gm, ''),
  })
  expect(countsOf(await run())).toEqual([
    'seasons.csv:1: file: is empty: the first row must hold the column names',
    'categories.csv:2: quotes: a cell that begins with a quote does not end with one',
    'courses.csv:1: participants: this column is required',
  ])
})

test('reports generated dates in years without school holiday data', async () => {
  const { folder, run } = await openImport(BASIC_FOLDER)
  const header = 'number,seasonId,courseCategoryId,name,start,end,startTime,endTime,participants'
  const late = (number: string) => `${number},1,3,Yoga,2030-09-02,2030-12-16,18:00,19:00,12`
  await folder.write({
    'courses.csv': `${header}\n${late('A-1')}\n${late('B-2')}\n`,
    'course-dates.csv': 'courseNumber,date\nB-2,2030-10-21\n',
  })
  const outcome = await run()
  expect(outcome).toMatchObject({
    notes: [
      'Course A-1: the school holidays of DE-NI are known up to 2030-04-23; later dates may lie in them. Give such dates in course-dates.csv',
    ],
  })
})
