import { expect, test } from 'vitest'
import { openTestDatabase } from '#server/test/database.ts'
import { BASIC_FOLDER, COURSE_HEADER, createTestFolder } from '#server/test/import-folder.ts'
import { importProgramme } from './import-programme.ts'

const database = await openTestDatabase()

test('an import reports courses that need the same room at the same time, and imports them nevertheless', async () => {
  const folder = await createTestFolder({
    ...BASIC_FOLDER,
    'rooms.csv': 'name,site,capacity,shared\nSaal,,20,false\nBecken,,20,true\n',
    'courses.csv': `${COURSE_HEADER},venue
A1,1,3,Yoga,2027-04-05,2027-04-12,18:00,19:00,10,Saal
A2,1,3,Tanz,2027-04-05,2027-04-12,18:30,19:30,10,Saal
A3,1,3,Aqua,2027-04-05,2027-04-12,18:00,19:00,10,Becken
A4,1,3,Aqua,2027-04-05,2027-04-12,18:00,19:00,10,Becken
`,
  })
  try {
    const options = { folder: folder.path, region: 'DE-NI' }
    const run = () => importProgramme(database.db, options)
    expect(await importProgramme(database.db, { ...options, language: 'de', isDryRun: true })).toMatchObject({
      notes: ['Die Kurse A1 Yoga und A2 Tanz brauchen zugleich den Raum Saal: 2027-04-05 18:00 und 1 weitere Male'],
    })
    expect(await run()).toMatchObject({
      isDone: true,
      notes: ['Courses A1 Yoga and A2 Tanz need room Saal at once: 2027-04-05 18:00 and 1 more times'],
    })
    // Nothing has changed, so nothing is reported.
    expect(await run()).toMatchObject({ isDone: true, hasChanged: false, notes: [] })
  } finally {
    await folder.remove()
  }
})

test('courses that all need the same room at the same time are imported as fast as others', async () => {
  const courses = Array.from(
    { length: 1_500 },
    (_, index) => `B${index},1,3,Yoga,2027-04-05,2027-06-21,18:00,19:00,10,Saal\n`,
  )
  const folder = await createTestFolder({
    ...BASIC_FOLDER,
    'rooms.csv': 'name,site,capacity,shared\nSaal,,20,false\n',
    'courses.csv': `${COURSE_HEADER},venue\n${courses.join('')}`,
  })
  try {
    const outcome = await importProgramme(database.db, { folder: folder.path, region: 'DE-NI' })
    expect(outcome).toMatchObject({ isDone: true })
    const { notes } = outcome as Extract<typeof outcome, { isDone: true }>
    expect(notes).toHaveLength(21)
    expect(notes[20]).toMatch(/^… and more than \d+ more pairs of courses$/)
  } finally {
    await folder.remove()
  }
})
