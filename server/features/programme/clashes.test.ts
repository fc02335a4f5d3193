import { expect, test } from 'vitest'
import { openTestDatabase } from '#server/test/database.ts'
import { dateFromNow } from '#server/test/factories.ts'
import { BASIC_FOLDER, COURSE_HEADER, createTestFolder } from '#server/test/import-folder.ts'
import { importProgramme } from './import-programme.ts'

const database = await openTestDatabase()

test('an import reports courses that need the same room at the same time, and imports them nevertheless', async () => {
  const days = [dateFromNow(40), dateFromNow(47)]
  const lessons = ['A1', 'A2', 'A3', 'A4'].flatMap(number => days.map(day => `${number},${day}\n`))
  const folder = await createTestFolder({
    ...BASIC_FOLDER,
    'rooms.csv': 'name,site,capacity,shared\nSaal,,20,false\nBecken,,20,true\n',
    'courses.csv': `${COURSE_HEADER},venue
A1,1,3,Yoga,${days},18:00,19:00,10,Saal
A2,1,3,Tanz,${days},18:30,19:30,10,Saal
A3,1,3,Aqua,${days},18:00,19:00,10,Becken
A4,1,3,Aqua,${days},18:00,19:00,10,Becken
`,
    // Generated dates would be skipped on holidays.
    'course-dates.csv': `courseNumber,date\n${lessons.join('')}`,
  })
  try {
    const options = { folder: folder.path, region: 'DE-NI' }
    const run = () => importProgramme(database.db, options)
    expect(await importProgramme(database.db, { ...options, language: 'de', isDryRun: true })).toMatchObject({
      notes: [`Die Kurse A1 Yoga und A2 Tanz brauchen zugleich den Raum Saal: ${days[0]} 18:00 und 1 weitere Male`],
    })
    expect(await run()).toMatchObject({
      isDone: true,
      notes: [`Courses A1 Yoga and A2 Tanz need room Saal at once: ${days[0]} 18:00 and 1 more times`],
    })
    // Nothing has changed, so nothing is reported.
    expect(await run()).toMatchObject({ isDone: true, hasChanged: false, notes: [] })
  } finally {
    await folder.remove()
  }
})

test('courses that all need the same room at the same time are imported as fast as others', async () => {
  const dates = `${dateFromNow(7)},${dateFromNow(84)}`
  const courses = Array.from({ length: 1_500 }, (_, index) => `B${index},1,3,Yoga,${dates},18:00,19:00,10,Saal\n`)
  const folder = await createTestFolder({
    ...BASIC_FOLDER,
    'rooms.csv': 'name,site,capacity,shared\nSaal,,20,false\n',
    'courses.csv': `${COURSE_HEADER},venue\n${courses.join('')}`,
  })
  try {
    const outcome = await importProgramme(database.db, { folder: folder.path, region: 'DE-NI' })
    expect(outcome).toMatchObject({ isDone: true })
    const { notes: all } = outcome as Extract<typeof outcome, { isDone: true }>
    const notes = all.filter(note => !note.includes('school holidays'))
    expect(notes).toHaveLength(21)
    expect(notes[20]).toMatch(/^… and more than \d+ more pairs of courses$/)
  } finally {
    await folder.remove()
  }
})
