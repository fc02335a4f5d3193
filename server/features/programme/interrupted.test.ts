// @module-tag extended
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readConfig } from '#server/platform/config/config.ts'
import { sql } from '#server/platform/db/client.ts'
import { connectDatabase } from '#server/platform/db/connect.ts'
import { openTestFolder } from '#server/test/import-folder.ts'

const dataDir = await mkdtemp(join(tmpdir(), 'portal-interrupted-'))
afterAll(() => rm(dataDir, { recursive: true, force: true }))
const rows = Array.from({ length: 1_000 }, (_, n) => `K-${n},1,1,Kurs ${n},2025-01-13,2025-12-22,18:00,19:00,15`)
const folder = await openTestFolder({
  'seasons.csv': 'id,name\n1,Winter\n',
  'categories.csv': 'id,name\n1,Fitness\n',
  'courses.csv': `number,seasonId,courseCategoryId,name,start,end,startTime,endTime,participants\n${rows.join('\n')}\n`,
})

test.each([
  ['SIGINT', 130, 'checking'],
  ['SIGTERM', 143, 'writing'],
] as const)(
  '%s rolls an import back and stops the database that it started',
  { timeout: 60_000 },
  async (signal, code, step) => {
    const child = spawn(process.execPath, [join(import.meta.dirname, '../../start.mjs'), 'import', folder.path], {
      env: { PATH: process.env.PATH, DATA_DIR: dataDir },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let said = ''
    child.stderr.on('data', (text: Buffer) => {
      said += text
      // Sent twice, as from a terminal: to the whole process group, and forwarded by npm.
      if (said.endsWith(`${step}\n`)) for (let time = 0; time < 2; time++) child.kill(signal)
    })
    expect(await once(child, 'close')).toEqual([code, null])
    expect(await readdir(join(dataDir, 'postgres'))).not.toContain('postmaster.pid')
    const { pools, close } = await connectDatabase(readConfig({ DATA_DIR: dataDir }), {
      role: 'tool',
      processLabel: 'test',
    })
    expect(await pools.jobs.one(sql`select count(*) as courses from courses`)).toEqual({ courses: 0 })
    await close()
  },
)
