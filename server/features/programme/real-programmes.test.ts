// @module-tag extended
import { expect, test } from 'vitest'
import { sql } from '#server/platform/db/client.ts'
import { openTestDatabase } from '#server/test/database.ts'
import { dumpTables } from '#server/test/import-folder.ts'
import { createRealFolder, hasRealProgrammes } from '#server/test/real-programmes.ts'
import { importProgramme } from './import-programme.ts'

const database = await openTestDatabase()

test.skipIf(!hasRealProgrammes).each([
  ['bern.json', 684],
  ['rwth.json', 2072],
  ['fribourg.json', 175],
])(
  '%s is imported completely within seconds, and a second import changes nothing',
  async (name, courses) => {
    const { db } = database
    const folder = await createRealFolder(name)
    const start = performance.now()
    const outcome = await importProgramme(db, { folder: folder.path, region: 'DE-NI' })
    const seconds = (performance.now() - start) / 1000
    console.log(`${name}: ${courses} courses in ${seconds.toFixed(1)} s`)
    expect(outcome).toMatchObject({ isDone: true, hasChanged: true })
    expect(Object.fromEntries(outcome.isDone ? outcome.counts : [])['courses.csv']?.created).toBe(courses)
    expect(seconds).toBeLessThan(60)

    const before = await dumpTables(db)
    expect(await importProgramme(db, { folder: folder.path, region: 'DE-NI' })).toMatchObject({ hasChanged: false })
    expect(await dumpTables(db)).toEqual(before)
    const dirty = await db.query(sql`
    select number from courses where text_web ~* '<(script|style|o:p|span|font)|&nbsp;|class=' or text_web like E'%\u00a0%'`)
    expect(dirty).toEqual([])
    await folder.remove()
  },
  60_000,
)
