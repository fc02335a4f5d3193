import { randomUUID } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { fromBufferPromise } from 'yauzl'
import { ZipFile } from 'yazl'
import { exportProgramme, uploadOfficeFile } from '#contract/office/content.ts'
import { performAct } from '#contract/office/office.ts'
import { sql } from '#server/platform/db/client.ts'
import { dateFromNow, insertBooking, insertUserWithSession } from '#server/test/factories.ts'
import { COURSE_HEADER } from '#server/test/import-folder.ts'
import { insertOfficer, openTestDesk, openTestProgram } from '#server/test/office.ts'
import { openTestServer } from '#server/test/server.ts'
import { buildWorkbook } from '#server/test/workbook.ts'

const server = await openTestServer()
const { token } = await insertOfficer(server, ['programme'])

const zipOf = async (files: Record<string, string>, change: (zip: Buffer) => Buffer = zip => zip) => {
  const zip = new ZipFile()
  for (const [name, text] of Object.entries(files)) zip.addBuffer(Buffer.from(text), name)
  zip.end()
  return change(await buffer(zip.outputStream))
}
const upload = async (name: string, content: Buffer | string, as = token) => {
  const file = new File([new Uint8Array(Buffer.from(content))], name)
  return server.request(uploadOfficeFile, { file, token: as })
}
const importZip = async (zip: Buffer, more: object = {}, name = 'programm.zip', language: 'de' | 'en' = 'en') => {
  const { fileId } = (await upload(name, zip)).body
  const run = (preview: boolean) =>
    server.request(performAct, {
      body: { actId: randomUUID(), kind: 'import-programme', fileId, preview, draft: false, ...more } as never,
      token,
      language,
    })
  return { preview: (await run(true)).body, done: (await run(false)).body }
}

const day = (n: number) => dateFromNow(7 * n)
const folder = (more: Record<string, string> = {}) => ({
  'seasons.csv': 'id,name\n1,Herbst\n',
  'categories.csv': 'id,name\n3,Fitness\n',
  'rooms.csv': 'name\nHalle 1\n',
  'courses.csv': `${COURSE_HEADER},venue\nA-1,1,3,Yoga,${day(1)},${day(3)},18:00,19:00,10,Halle 1\n`,
  'course-dates.csv': `courseNumber,date\nA-1,${day(1)}\nA-1,${day(2)}\nA-1,${day(3)}\n`,
  ...more,
})

test('a zip is imported as previewed, participants are notified of changes, and clashes are reported', async () => {
  const first = await importZip(await zipOf(folder()))
  expect(first.done).toMatchObject({
    status: 'Ok',
    result: { counts: { 'courses.csv': { created: 1 }, 'course-dates.csv': { created: 3 } } },
  })
  expect(first.done.result.notes).toEqual(['Season Herbst: 1 new course, visible at once, bookable at once.'])
  expect(first.preview.result).toEqual(first.done.result)
  const { id } = await server.db.one<{ id: number }>(sql`select id from courses`)
  const person = await insertUserWithSession(server.db)
  await insertBooking(server.db, id, person.id)

  // Packed within a folder, as zips often are.
  const moved = folder({
    'course-dates.csv': `courseNumber,date,startTime,state\nA-1,${day(1)},20:00,\nA-1,${day(2)},,cancelled\nA-1,${day(3)},,\n`,
    'courses.csv': `${folder()['courses.csv']}A-2,1,3,Judo,${day(3)},${day(3)},18:30,19:00,10,Halle 1\n`,
  })
  const packed = Object.fromEntries(Object.entries(moved).map(([name, text]) => [`Programm 2026/${name}`, text]))
  const { preview, done } = await importZip(await zipOf(packed))
  expect(done.consequences).toEqual(preview.consequences)
  expect(done.consequences).toMatchObject({
    mails: 1,
    messages: 1,
    told: [{ id: person.id }],
    clashes: [{ room: 'Halle 1', courseId: id }],
  })
  const { text } = await server.db.one<{ text: string }>(
    sql`select text from inbox_items where web_user_id = ${person.id}`,
  )
  expect(text.match(/20:00|entfällt/gi)).toHaveLength(2)
  expect(await server.db.query(sql`select from office_files`)).toEqual([])

  const exported = (await server.request(exportProgramme, { token })).body
  const again = await importZip(Buffer.from(exported))
  expect(again.done).toMatchObject({ status: 'Ok', consequences: { mails: 0, told: [] } })
})

test('new lessons in a closed room or of an absent instructor are conflicts of the import, renamed ones are not', async () => {
  const desk = await openTestDesk(server, ['programme'])
  const files = (date: string, venue: string, names = { course: 'Yoga', instructor: 'Weg' }) => ({
    'seasons.csv': 'id,name\n41,Sperre\n',
    'categories.csv': 'id,name\n3,Fitness\n',
    'rooms.csv': 'name\nHalle zu\nHalle auf\n',
    'instructors.csv': `email,familyName\nweg@demo.example,${names.instructor}\n`,
    'courses.csv': `${COURSE_HEADER},venue,instructorEmails,name2\nZ-1,41,3,${names.course},${day(1)},${day(4)},06:00,07:00,10,${venue},weg@demo.example,Stretching\n`,
    'course-dates.csv': `courseNumber,date\nZ-1,${day(1)}\nZ-1,${date}\n`,
  })
  await importZip(await zipOf(files(day(2), 'Halle zu')))
  const { id: roomId } = await server.db.one<{ id: number }>(sql`select id from rooms where name = 'Halle zu'`)
  const { id: courseId } = await server.db.one<{ id: number }>(sql`select id from courses where number = 'Z-1'`)
  await desk.act({ kind: 'set-closure', roomIds: [roomId], from: day(2), to: day(3), lessons: [], reason: 'Boden' })
  await desk.act({ kind: 'set-absence', instructorEmail: 'weg@demo.example', from: day(4), to: day(5), lessons: [] })
  const clashesOf = async (zip: Buffer) => {
    const { preview, done } = await importZip(zip)
    expect(done).toMatchObject({ status: 'Ok', consequences: preview.consequences })
    return done.consequences.clashes
  }
  expect(await clashesOf(await zipOf(files(day(3), 'Halle zu')))).toMatchObject([
    { room: 'Halle zu', courseId, name: 'Z-1 Stretching', at: `${day(3)}T06:00` },
  ])
  const renamed = { course: 'Yin Yoga', instructor: 'Fort' }
  expect(await clashesOf(await zipOf(files(day(3), 'Halle zu', renamed)))).toEqual([])
  expect(await clashesOf(await zipOf(files(day(4), 'Halle auf')))).toMatchObject([
    { instructor: 'Weg', courseId, name: 'Z-1 Stretching', at: `${day(4)}T06:00` },
  ])
  expect(await clashesOf(await zipOf(files(day(4), 'Halle auf', renamed)))).toEqual([])
})

test('a double booking in another room of the same name is new, one of renamed courses is not', async () => {
  const files = (name: string, city: string) => ({
    'seasons.csv': 'id,name\n42,Orte\n',
    'categories.csv': 'id,name\n3,Fitness\n',
    'rooms.csv': 'name,site\nSaal,Nord\nSaal,West\n',
    'courses.csv': `${COURSE_HEADER},venue,city,name2\n${['O-1', 'O-2']
      .map(number => `${number},42,3,${name},${day(1)},${day(1)},05:00,06:00,10,Saal,${city},Pilates\n`)
      .join('')}`,
  })
  const clashesOf = async (name: string, city: string) =>
    (await importZip(await zipOf(files(name, city)))).done.consequences.clashes
  const clash = [{ room: 'Saal', name: expect.stringMatching(/^O-\d Pilates$/), at: `${day(1)}T05:00` }]
  expect(await clashesOf('Yoga', 'Nord')).toMatchObject(clash)
  expect(await clashesOf('Yin Yoga', 'Nord')).toEqual([])
  expect(await clashesOf('Yin Yoga', 'West')).toMatchObject(clash)
})

test('errors are listed by line, and nothing is imported', async () => {
  const { preview } = await importZip(
    await zipOf(folder({ 'courses.csv': `${COURSE_HEADER}\nB-1,9,3,Yoga,${day(1)},${day(3)},18:00,19:00,viele\n` })),
  )
  expect(preview).toMatchObject({
    status: 'Failed',
    result: {
      errors: [
        'courses.csv:2: participants: "viele" is not a whole number',
        'courses.csv:2: seasonId: "9" is neither in seasons.csv nor in the portal',
      ],
    },
  })
  expect((await importZip(await zipOf({ 'users.csv': 'email\na@b.example\n' }))).done.result.errors).toEqual([
    'users.csv:1: file: people do not come with a programme',
  ])
})

test('a programme exported as a workbook is imported without changes, in a zip or on its own', async () => {
  const { body } = await server.request(exportProgramme, { query: { format: 'xlsx' }, token })
  const zip = await fromBufferPromise(Buffer.from(body), { lazyEntries: true })
  const names: string[] = []
  let book = Buffer.alloc(0)
  for await (const entry of zip.eachEntry()) {
    names.push(entry.fileName)
    book = await buffer(await zip.openReadStreamPromise(entry))
  }
  expect(names).toEqual(['programme.xlsx'])
  const counts = { created: 0, updated: 0, removed: 0, unchanged: expect.any(Number) }
  const same = { status: 'Ok', result: { counts: { 'courses.csv': counts, 'course-dates.csv': counts } } }
  expect((await importZip(Buffer.from(body))).done).toMatchObject(same)
  expect((await importZip(book, {}, 'Herbst.xlsx')).done).toMatchObject(same)
  expect((await importZip(book, {}, 'Herbst.xlsm')).done).toMatchObject(same)
})

test('errors in a workbook name sheet, row and column', async () => {
  const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`
  const row = (cells: string[]) => `<row>${cells.map(text).join('')}</row>`
  const broken = await buildWorkbook({
    sheets: {
      categories: row(['id', 'name']) + row(['x', 'Tanz']),
      Notizen: row(['bitte beachten']),
      seasons: `${row(['id', 'name'])}<row r="2"><c r="A2"><v>9</v></c><c r="B2" t="e"><v>#REF!</v></c></row>`,
    },
  })
  const wrong = async (name: string, content: Buffer, language: 'de' | 'en') =>
    (await importZip(content, {}, name, language)).preview.result.errors
  expect(await wrong('Plan.xlsx', broken, 'de')).toEqual([
    expect.stringMatching(/^Plan\.xlsx, Blatt Notizen:1: sheet: ist keine von divisions, seasons,/),
    'Plan.xlsx, Blatt seasons:2: B2: enthält einen Fehler der Tabelle: #REF!',
    'Plan.xlsx, Blatt seasons:2: name: muss ausgefüllt sein',
    'Plan.xlsx, Blatt categories:2: id: "x" ist keine ganze Zahl',
  ])
  // A single sheet may have any name if the file is named after the table.
  const one = await buildWorkbook({ sheets: { Tabelle1: row(['id', 'name']) + row(['x', 'Tanz']) } })
  expect(await wrong('categories.xlsx', one, 'en')).toEqual([
    'categories.xlsx, sheet Tabelle1:2: id: "x" is not a whole number',
  ])
})

/** `to` has the same length as `from`, so that the zip remains valid. */
const rename = (from: string, to: string) => (zip: Buffer) =>
  Buffer.from(zip.toString('latin1').replaceAll(from, to), 'latin1')

test.each([
  ['a path outside the folder', () => zipOf({ 'aa/bb.csv': 'id\n' }, rename('aa/bb.csv', '../bb.csv'))],
  ['an absolute path', () => zipOf({ 'aabb.csv': 'id\n' }, rename('aabb.csv', '/abb.csv'))],
  ['a folder in a folder', () => zipOf({ 'files/a/b.csv': 'id\n', 'seasons.csv': 'id\n' })],
  ['a duplicate file', () => zipOf({ 'a1.csv': 'id\n', 'a2.csv': 'id\n' }, rename('a2.csv', 'a1.csv'))],
  ['a zip bomb', () => zipOf({ 'seasons.csv': '0'.repeat(70 * 1024 * 1024) })],
  ['a file that is not a zip', async () => Buffer.from('PK\u0003\u0004 nothing')],
])('%s is rejected', async (_, make) => {
  const { done } = await importZip(await make())
  expect(done).toMatchObject({
    status: 'Failed',
    result: { errors: [expect.stringMatching(/^programm\.zip:1: file: /)] },
  })
})

test('an upload requires a matching permission and content that matches its type', async () => {
  const { token: content } = await insertOfficer(server, ['content'])
  expect((await upload('plan.pdf', '%PDF-1.7', content)).status).toBe(200)
  expect((await upload('programm.zip', 'PK', content)).status).toBe(403)
  expect((await upload('plan.pdf', '%PDF-1.7', (await insertOfficer(server, ['bookings'])).token)).status).toBe(403)
  expect((await upload('plan.exe', 'MZ')).status).toBe(400)
  expect((await upload('plan.pdf', 'MZ')).status).toBe(400)
  expect((await upload('../plan.pdf', '%PDF-1.7')).status).toBe(400)
  expect((await upload('plan.pdf', Buffer.alloc(21 * 1024 * 1024, '%PDF-1.7'))).status).toBe(413)
  const headers = { SessionToken: token, 'Content-Type': 'application/json' }
  expect((await server.app.request(uploadOfficeFile.path, { method: 'POST', headers, body: '{}' })).status).toBe(415)
})

test('without the right to edit content, an import leaves content and albums out, and an export has no private ones', async () => {
  const { db } = server
  const editor = await insertOfficer(server, ['programme', 'content'])
  await importZip(await zipOf(folder()))
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>'
  const albums = (courseNumber: string) => `id,name,courseNumber\n7,Teilnehmende,${courseNumber}\n`
  const content = {
    'albums.csv': albums('A-1'),
    'photos.csv': 'albumId,fileName\n7,geheim.svg\n',
    'content.csv': 'contentType,sortOrder,text1\nFlyer,1,Neu\n',
    'files/geheim.svg': svg,
  }
  const without = await importZip(await zipOf(content))
  expect(without.preview.result.notes).toHaveLength(4)
  expect(await db.query(sql`select from albums union all select from content_items`)).toEqual([])
  const importAs = async (files: Record<string, string>, as: string) => {
    const { fileId } = (await upload('programm.zip', await zipOf(files), as)).body
    const body = { actId: randomUUID(), kind: 'import-programme', fileId } as const
    return (await server.request(performAct, { body, token: as, language: 'en' })).body
  }
  expect(await importAs(content, editor.token)).toMatchObject({ status: 'Ok', result: { notes: [] } })
  const readNames = async (as: { token: string } | { headers: Record<string, string> }) => {
    const zip = await fromBufferPromise(Buffer.from((await server.request(exportProgramme, as)).body), {
      lazyEntries: true,
    })
    const names: string[] = []
    for await (const entry of zip.eachEntry()) names.push(entry.fileName)
    return names
  }
  const program = await openTestProgram(server, ['programme-read'])
  expect(await readNames(editor)).toContain('files/geheim.svg')
  expect(await readNames({ token })).not.toContain('files/geheim.svg')
  expect(await readNames({ headers: program.headers })).not.toContain('files/geheim.svg')
  const opened = { 'albums.csv': albums('') }
  expect(await importAs(opened, token)).toMatchObject({ status: 'Ok' })
  expect(await db.query(sql`select from albums where course_id is null`)).toEqual([])
  expect(await importAs(opened, editor.token)).toMatchObject({
    status: 'Ok',
    result: { notes: ['Album Teilnehmende, so far for participants only, becomes public'] },
  })
})

test('a course that an import cancels costs nothing, and one that is over cannot be cancelled', async () => {
  const { db } = server
  const { act } = await openTestDesk(server, ['bookings', 'programme'])
  const header = `${COURSE_HEADER},fee,cancelled`
  const row = (number: string, first: number, cancelled: string) =>
    `${number},1,3,Yoga,${day(first)},${day(first + 2)},18:00,19:00,10,45,${cancelled}\n`
  const { 'seasons.csv': seasons, 'categories.csv': categories } = folder()
  const importCourses = async (...rows: string[]) =>
    importZip(
      await zipOf({
        'seasons.csv': seasons,
        'categories.csv': categories,
        'courses.csv': `${header}\n${rows.join('')}`,
      }),
    )
  await importCourses(row('E-1', 1, ''), row('E-2', 1, ''), row('E-3', -4, ''))
  const courses = await db.query<{ id: number }>(sql`select id from courses where number like 'E-%' order by number`)
  const [charged = 0, shared = 0, over = 0] = courses.map(({ id }) => id)
  const late = await insertUserWithSession(db)
  for (const courseId of [charged, shared]) {
    await act({ kind: 'book', courseId, webUserId: late.id, reason: 'Test' })
    const cancel = { kind: 'cancel-booking', courseId, webUserId: late.id, charge: 'full', reason: 'zu spät' } as const
    expect(await act(cancel)).toMatchObject({ status: 'Ok' })
  }
  const present = await insertUserWithSession(db)
  for (const courseId of [shared, over]) await insertBooking(db, courseId, present.id)
  const balances = () =>
    db.query(sql`
      select e.course_id as id, sum(e.cents)::int as cents, (
        select count(*)::int from bookings b where b.course_id = e.course_id and b.charge <> 'none') as charges
      from ledger_entries e where e.course_id in (${charged}, ${shared}) group by 1 order by 1`)
  expect(await balances()).toEqual([
    { id: charged, cents: 4500, charges: 1 },
    { id: shared, cents: 4500, charges: 1 },
  ])
  const refused = await importCourses(row('E-3', -4, 'ja'))
  expect(refused.done).toMatchObject({ status: 'Failed' })
  expect(refused.done.result.errors).toEqual(['courses.csv:2: cancelled: the course is over'])
  expect((await importCourses(row('E-1', 1, 'ja'), row('E-2', 1, 'ja'))).done).toMatchObject({
    status: 'Ok',
    consequences: { ended: [{ id: present.id }] },
  })
  expect(await balances()).toEqual([
    { id: charged, cents: 0, charges: 0 },
    { id: shared, cents: 0, charges: 0 },
  ])
})

test('an import that cancels and restores a course notifies its instructors and those who had a place, with the note', async () => {
  const { db } = server
  const { 'seasons.csv': seasons, 'categories.csv': categories } = folder()
  const importCourse = async (cancelled: string, note?: string) => {
    const [column, cell] = note === undefined ? ['', ''] : [',note', `,${note}`]
    const header = `${COURSE_HEADER},instructorEmails,cancelled${column}`
    const courses = `${header}\nR-1,1,3,Yoga,${day(1)},${day(3)},18:00,19:00,10,ines@kurse.example,${cancelled}${cell}\n`
    const instructors = 'email,familyName\nines@kurse.example,Brandt\n'
    return importZip(
      await zipOf({
        'seasons.csv': seasons,
        'categories.csv': categories,
        'instructors.csv': instructors,
        'courses.csv': courses,
      }),
    )
  }
  const newMails = async () => {
    const mails = await db.query<{ recipient: string; title: string; text: string }>(sql`
      select recipient, payload #>> '{de,title}' as title, payload #>> '{de,paragraphs}' as text from mails order by id`)
    await db.execute(sql`delete from mails`)
    return mails
  }
  await importCourse('')
  await newMails()
  expect((await importCourse('ja', 'Wasserschaden')).done).toMatchObject({ status: 'Ok' })
  expect(await newMails()).toMatchObject([
    { recipient: 'ines@kurse.example', text: expect.stringContaining('Wasserschaden') },
  ])
  expect((await importCourse('ja', 'Wasserschaden')).done).toMatchObject({ status: 'Ok', consequences: { mails: 0 } })
  await importCourse('nein')
  // The reason of the cancellation does not outlive it.
  expect(await newMails()).toMatchObject([
    {
      recipient: 'ines@kurse.example',
      title: expect.stringContaining('findet doch statt'),
      text: expect.not.stringContaining('Wasserschaden'),
    },
  ])

  const { id } = await db.one<{ id: number }>(sql`select id from courses where number = 'R-1'`)
  const person = await insertUserWithSession(db)
  await insertBooking(db, id, person.id)
  await importCourse('ja', 'Wasserschaden')
  const told = [person.email, 'ines@kurse.example'].toSorted()
  const cancelled = await newMails()
  expect(cancelled.map(({ recipient }) => recipient).toSorted()).toEqual(told)
  expect(cancelled.every(({ text }) => text.includes('Wasserschaden'))).toBe(true)
  await importCourse('nein')
  expect((await newMails()).map(({ recipient }) => recipient).toSorted()).toEqual(told)
})

test('new seasons become drafts unless sent otherwise, and the preview says what will be visible and bookable', async () => {
  const seasons = `id,name,bookableFrom\n77,Winter,${dateFromNow(9)}T08:00\n`
  const courses = `${COURSE_HEADER}\nD-1,77,3,Yoga,${day(1)},${day(3)},18:00,19:00,10\n`
  const zip = await zipOf({ 'seasons.csv': seasons, 'courses.csv': courses })
  const isDraft = async () =>
    (await server.db.one<{ isDraft: boolean }>(sql`select is_draft as "isDraft" from seasons where id = 77`)).isDraft
  const asked = await importZip(zip, { draft: undefined }, undefined, 'de')
  const [first] = asked.preview.result.notes as string[]
  expect(first).toBe('Saison Winter mit 1 neuen Kurs: ein Entwurf, den niemand sieht, bevor Sie ihn veröffentlichen.')
  expect(await isDraft()).toBe(true)
  expect((await importZip(zip)).done).toMatchObject({ status: 'Ok' })
  expect(await isDraft()).toBe(true)

  await server.db.execute(sql`delete from courses where season_id = 77`)
  await server.db.execute(sql`delete from seasons where id = 77`)
  const [year, month, date] = dateFromNow(9).split('-')
  const published = await importZip(zip, { draft: false }, undefined, 'de')
  const [note] = published.preview.result.notes as string[]
  expect(note).toBe(`Saison Winter: 1 neuer Kurs, sofort sichtbar, buchbar ab ${date}.${month}.${year}, 08:00.`)
  expect(await isDraft()).toBe(false)
})
