import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import fc from 'fast-check'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { fromBufferPromise } from 'yauzl'
import { type Database, sql } from '#server/platform/db/client.ts'
import { createTestDatabase } from '#server/test/database.ts'
import { insertCourse, insertInstructor } from '#server/test/factories.ts'
import { createTestFolder, dumpTables } from '#server/test/import-folder.ts'
import { createRealFolder, hasRealProgrammes } from '#server/test/real-programmes.ts'
import { demoFolder } from './demo-accounts.ts'
import { toCsv, zipProgramme } from './export-programme.ts'
import { importProgramme } from './import-programme.ts'

const exportAll = async (db: Database) => buffer(await zipProgramme(db, null))

/**
 * Imports a folder into an empty portal, runs `work` there, exports the programme, and imports and exports the result
 * in the same way.
 */
async function exportTwice(folder: string, work: (db: Database) => Promise<void> = async () => {}) {
  const imported = async (path: string, change: typeof work) => {
    const { db, close } = await createTestDatabase()
    const outcome = await importProgramme(db, { folder: path, region: 'DE-NI' })
    expect(outcome).toMatchObject({ isDone: true })
    await change(db)
    const zip = await exportAll(db)
    await close()
    return zip
  }
  const first = await imported(folder, work)
  const unzipped = await createTestFolder()
  await unzipped.unzip(first)
  const second = await imported(unzipped.path, async () => {})
  await unzipped.remove()
  return { first, second }
}

test('the demo programme with changes by staff is exported to identical bytes after an import', async () => {
  const { first, second } = await exportTwice(demoFolder, async db => {
    await db.execute(sql`
      insert into rooms (name, site, capacity, is_shared)
      values ('Halle 2 am Tor 4', '', 40, false), ('Bad', 'Salzstadt', 0, true)`)
    await db.execute(
      sql`update courses set cancelled_at = clock_timestamp(), note = 'zu wenige' where number = 'S-0902'`,
    )
    await db.execute(sql`update seasons set is_draft = true where id = 1`)
    await db.execute(sql`
      update course_dates set state = case id % 5 when 0 then 'cancelled' else state end,
        held_at = held_at + case id % 7 when 0 then interval '1 day 15 minutes' else interval '0' end,
        moved_from = case id % 7 when 0 then held_at end, ends_at = case id % 11 when 0 then time '23:45' end,
        instructor_email = case id % 13 when 0 then (select min(email) from instructors) end,
        room_id = case id % 17 when 0 then (select max(id) from rooms) end, venue = case id % 19 when 0 then 'Wiese <b> & "Zelt"' end,
        note = case id % 3 when 0 then E'5 < 6\\n<p>neu</p>' else '' end`)
  })
  expect(first.byteLength).toBeGreaterThan(10_000)
  expect(second.equals(first)).toBe(true)
}, 60_000)

test('importing an export into the same portal changes nothing, including changes by staff', async () => {
  const { db, close } = await createTestDatabase()
  await importProgramme(db, { folder: demoFolder, region: 'DE-NI' })
  await db.execute(sql`
    update course_dates set moved_from = held_at, held_at = held_at + interval '15 minutes' where id % 7 = 0`)
  const unzipped = await createTestFolder()
  await unzipped.unzip(await exportAll(db))
  const before = await dumpTables(db)
  const outcome = await importProgramme(db, { folder: unzipped.path, region: 'DE-NI' })
  expect(outcome).toMatchObject({ isDone: true, hasChanged: false })
  expect(await dumpTables(db)).toEqual(before)
  await unzipped.remove()
  await close()
}, 60_000)

test('tables are readable by a German Excel: BOM, semicolons, decimal commas', async () => {
  const { db, close } = await createTestDatabase()
  await importProgramme(db, { folder: demoFolder, region: 'DE-NI' })
  const unzipped = await createTestFolder()
  await unzipped.unzip(await exportAll(db))
  const text = await readFile(join(unzipped.path, 'courses.csv'), 'utf8')
  expect(text).toMatch(/^\uFEFFnumber;/)
  expect(text).toMatch(/;\d+,\d\d;/)
  expect(text).not.toMatch(/;\d+\.\d\d;/)
  await unzipped.remove()
  await close()
}, 60_000)

test('pictures are compressed, because programs that read the zip as it arrives refuse stored ones', async () => {
  const { db, close } = await createTestDatabase()
  const folder = await createTestFolder({
    'instructors.csv': 'email,familyName,pictureFileName\nkim@demo.example,Muster,kim.png\n',
    'files/kim.png': await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
      .png()
      .toBuffer(),
  })
  await importProgramme(db, { folder: folder.path, region: 'DE-NI' })
  const zip = await fromBufferPromise(await exportAll(db), { lazyEntries: true })
  const methods = new Map<string, number>()
  for await (const { fileName, compressionMethod } of zip.eachEntry()) methods.set(fileName, compressionMethod)
  expect(methods.get('files/kim.png')).toBe(8)
  await folder.remove()
  await close()
})

test('numbers of courses, meetings, certificates and licences are text in a workbook', async () => {
  const { db, close } = await createTestDatabase()
  await insertCourse(db, { number: '4711', meetingId: '81234567', meetingCode: '1234', dates: ['2100-01-01 18:00'] })
  await db.execute(sql`update courses set central_test_institute = '20261234'`)
  const { email } = await insertInstructor(db)
  await db.execute(sql`update instructors set licence = '5678' where email = ${email}`)
  const entriesOf = async (content: Buffer) => {
    const zip = await fromBufferPromise(content, { lazyEntries: true })
    const entries = new Map<string, Buffer>()
    for await (const entry of zip.eachEntry())
      entries.set(entry.fileName, await buffer(await zip.openReadStreamPromise(entry)))
    return entries
  }
  const book = (await entriesOf(await buffer(await zipProgramme(db, null, { format: 'xlsx' })))).get('programme.xlsx')
  const parts = await entriesOf(book ?? Buffer.alloc(0))
  const sheets = [...parts].flatMap(([name, content]) => (/worksheets/.test(name) ? [content.toString()] : []))
  const values = ['4711', '81234567', '1234', '20261234', '5678']
  for (const value of values) expect(sheets.join('')).not.toContain(`<v>${value}</v>`)
  for (const value of values) expect(parts.get('xl/sharedStrings.xml')?.toString()).toContain(`>${value}<`)
  await close()
})

const words = fc.constantFrom(
  'Yoga',
  ' Rücken, fit; "neu"',
  'a < b & c',
  '<p>Kraft</p><ul><li>x</li></ul>',
  'Zeile\nzwei',
  '',
)
const name = fc.constantFrom('Yoga', 'Rücken, fit; "neu"', 'Kurs & mehr', '=SUMME(A1)')
const bool = fc.constantFrom('true', 'false', '')
const date = fc.integer({ min: 0, max: 400 }).map(n => new Date(Date.UTC(2026, 9, 1 + n)).toISOString().slice(0, 10))
const cents = fc.integer({ min: 0, max: 99_999 }).map(n => (n % 7 === 0 ? '' : (n / 100).toFixed(2)))
const file = fc.constantFrom('', 'rot.jpg', 'blau.png', 'plan.pdf', 'zeichen.svg')
const picture = fc.constantFrom('', 'rot.jpg', 'blau.png', 'zeichen.svg')
const list = <T>(item: fc.Arbitrary<T>, max: number) => fc.array(item, { maxLength: max })

const programme = fc.record({
  seasons: list(
    fc.record({ name, description: words, bookableFrom: fc.constantFrom('', '2026-10-25 02:30'), draft: bool }),
    3,
  ),
  rooms: list(
    fc.record({ capacity: fc.constantFrom('', '12'), shared: bool, site: fc.constantFrom('', 'Salzstadt') }),
    3,
  ),
  instructors: list(fc.record({ familyName: name, hobbies: words, pictureFileName: picture }), 3),
  courses: list(
    fc.record({
      name,
      textWeb: words,
      conditions: words,
      location: words,
      fee: cents,
      externalFee: cents,
      start: date,
      cancelled: bool,
      times: fc.constantFrom(['18:00', '19:00'], ['00:00', '00:00'], ['23:30', '23:59'], ['07:05:30', '08:00']),
      note: words,
      weeks: fc.nat(6),
      teachers: fc.nat(3),
      hours: fc.constantFrom('', '7.5', '10'),
      confirmed: bool,
      dates: list(
        fc.record({
          day: fc.nat(60),
          startTime: fc.constantFrom('', '17:45'),
          endTime: fc.constantFrom('', '23:59'),
          note: words,
          state: fc.constantFrom('', 'planned', 'cancelled'),
          venue: fc.constantFrom('', 'Raum 0', 'Wiese'),
          teacher: fc.nat(3),
        }),
        4,
      ),
    }),
    4,
  ),
  content: list(
    fc.record({ text1: words, pictureFileName: picture, fileName: file, link: fc.constantFrom('', 'category:1') }),
    4,
  ),
  albums: list(fc.record({ name, thumbnail: fc.constantFrom('', 'rot.jpg', 'blau.png'), isOfCourse: fc.boolean() }), 3),
  photos: list(
    fc.record({
      album: fc.nat(2),
      fileName: fc.constantFrom('rot.jpg', 'blau.png'),
      shootingdate: fc.constantFrom('', '2026-09-12 10:00'),
    }),
    4,
  ),
})

async function toFolder(p: typeof programme extends fc.Arbitrary<infer P> ? P : never) {
  const seasons = p.seasons.length > 0 ? p.seasons : [{ name: 'S', description: '', bookableFrom: '', draft: '' }]
  const teachers = p.instructors.map((_, n) => `t${n}@demo.example`)
  const photos = new Map(
    p.photos.filter(({ album }) => album < p.albums.length).map(one => [`${one.album} ${one.fileName}`, one]),
  )
  const dates = p.courses.flatMap((course, n) => {
    const days = new Map(course.dates.map(one => [one.day, one]))
    return [...days.values()].map(({ day, startTime, endTime, state, venue, teacher, note }) => {
      const date = new Date(Date.parse(course.start) + day * 86_400_000).toISOString().slice(0, 10)
      const isLate = (startTime || course.times[0] || '') < '23:59'
      return [`K-${n}`, date, startTime, isLate ? endTime : '', state, venue, teachers[teacher] ?? '', note]
    })
  })
  return createTestFolder({
    'seasons.csv': toCsv([
      ['id', 'name', 'description', 'bookableFrom', 'draft'],
      ...seasons.map((s, n) => [`${n + 1}`, s.name, s.description, s.bookableFrom, s.draft]),
    ]),
    'categories.csv': 'id,name,icon\n1,Fitness,fitness\n2,Wasser,zeichen.svg\n',
    'rooms.csv': toCsv([
      ['name', 'site', 'capacity', 'shared'],
      ...p.rooms.map((r, n) => [`Raum ${n}`, r.site, r.capacity, r.shared]),
    ]),
    'instructors.csv': toCsv([
      ['email', 'familyName', 'hobbies', 'pictureFileName'],
      ...p.instructors.map((i, n) => [teachers[n] ?? '', i.familyName, i.hobbies, i.pictureFileName]),
    ]),
    'courses.csv': toCsv([
      [
        'number',
        'seasonId',
        'courseCategoryId',
        'name',
        'textWeb',
        'conditions',
        'location',
        'venue',
        'instructorEmails',
        'startTime',
        'endTime',
        'start',
        'end',
        'totalHours',
        'fee',
        'externalFee',
        'participants',
        'confirmed',
        'cancelled',
        'note',
      ],
      ...p.courses.map((c, n) => [
        `K-${n}`,
        `${(n % seasons.length) + 1}`,
        `${(n % 2) + 1}`,
        c.name,
        c.textWeb,
        c.conditions,
        c.location,
        `Raum ${n}`,
        teachers.slice(0, c.teachers).join(' '),
        c.times[0] ?? '',
        c.times[1] ?? '',
        c.start,
        new Date(Date.parse(c.start) + c.weeks * 7 * 86_400_000).toISOString().slice(0, 10),
        c.hours,
        c.fee,
        c.externalFee,
        '10',
        c.confirmed,
        c.cancelled,
        c.note,
      ]),
    ]),
    'course-dates.csv': toCsv([
      ['courseNumber', 'date', 'startTime', 'endTime', 'state', 'venue', 'instructorEmail', 'note'],
      ...dates,
    ]),
    'content.csv': toCsv([
      ['contentType', 'text1', 'pictureFileName', 'fileName', 'link'],
      ...p.content.map(c => ['Flyer', c.text1, c.pictureFileName, c.fileName, c.link]),
    ]),
    'albums.csv': toCsv([
      ['id', 'name', 'thumbnailFileName', 'courseNumber'],
      ...p.albums.map((a, n) => [`${n + 1}`, a.name, a.thumbnail, a.isOfCourse && p.courses.length > 0 ? 'K-0' : '']),
    ]),
    'photos.csv': toCsv([
      ['albumId', 'fileName', 'shootingdate'],
      ...[...photos.values()].map(o => [`${o.album + 1}`, o.fileName, o.shootingdate]),
    ]),
    'files/rot.jpg': await sharp({ create: { width: 900, height: 40, channels: 3, background: '#d00000' } })
      .withMetadata()
      .jpeg()
      .toBuffer(),
    'files/blau.png': await sharp({ create: { width: 700, height: 30, channels: 3, background: '#0000d0' } })
      .png()
      .toBuffer(),
    'files/zeichen.svg': '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>',
    'files/plan.pdf': '%PDF-1.7 plan',
  })
}

test('any programme is exported to identical bytes after an import', async () => {
  await fc.assert(
    fc.asyncProperty(programme, async random => {
      const folder = await toFolder(random)
      const { first, second } = await exportTwice(folder.path)
      await folder.remove()
      expect(second.equals(first)).toBe(true)
    }),
    { numRuns: 8, endOnFailure: true },
  )
}, 120_000)

test.skipIf(!hasRealProgrammes).each(['bern.json', 'fribourg.json'])(
  '%s is exported to identical bytes after an import',
  async source => {
    const folder = await createRealFolder(source)
    const { first, second } = await exportTwice(folder.path)
    await folder.remove()
    expect(second.equals(first)).toBe(true)
  },
  120_000,
)
