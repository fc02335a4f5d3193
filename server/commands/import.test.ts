import { spawnSync } from 'node:child_process'
import { chmod } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { bookCourse, cancelCourse } from '#contract/endpoints/courses.ts'
import { sql } from '#server/platform/db/client.ts'
import { asNobody, canBeNobody } from '#server/test/cluster.ts'
import { runCommand } from '#server/test/command.ts'
import { insertUserWithSession } from '#server/test/factories.ts'
import { createTestFolder, openTestFolder } from '#server/test/import-folder.ts'
import { startFile } from '#server/test/portal.ts'
import { openTestServer } from '#server/test/server.ts'

const server = await openTestServer()
const folder = await openTestFolder(programme('Kurs'))

/** 1,200 courses that are open for booking, with 15 places each, for ten weeks from next year on. */
function programme(name: string): Record<string, string> {
  const year = new Date().getFullYear() + 1
  const rows = Array.from(
    { length: 1200 },
    (_, n) =>
      `K-${n},1,1,${name} ${n},${year}-01-11,${year}-03-15,18:00,19:00,15,"<p>${'Kraft &amp; Ausdauer '.repeat(40)}</p>"`,
  )
  const header = 'number,seasonId,courseCategoryId,name,start,end,startTime,endTime,participants,textWeb'
  return {
    'seasons.csv': 'id,name\n1,Winter\n',
    'categories.csv': 'id,name\n1,Fitness\n',
    'courses.csv': `${header}\n${rows.join('\n')}\n`,
  }
}

const importFolder = (args: string[], settings: Record<string, string> = {}) =>
  runCommand(['import', ...args], {
    DATABASE_URL: server.database.url,
    DATA_DIR: server.context.config.dataDir,
    ...settings,
  })

test('ends with a table of what was created, shows progress, and exits with 0', async () => {
  const { status, stdout, stderr } = await importFolder([folder.path])
  expect(stderr).toMatch(/^reading seasons\.csv 1 of 1\n[\s\S]*^checking\n[\s\S]*^courses \d+ of 1200\n/m)
  const table = stdout.trimEnd().split('\n').slice(-6)
  expect(table.shift()).toMatch(/^ +created +updated +unchanged +removed$/)
  expect(table.filter(line => !/^\S+(?: +\d+){4}$/.test(line))).toEqual([])
  expect(stdout).toMatch(/^courses\.csv +1200 +0 +0 +0$/m)
  expect(status).toBe(0)
}, 60_000)

/** Retries if the import locks a course for too long, as the app does. */
async function untilServed<Answer extends { status: number; headers: Headers }>(
  call: () => Promise<Answer>,
): Promise<Answer> {
  for (;;) {
    const answer = await call()
    if (answer.status !== 503) return answer
    expect(answer.headers.get('Retry-After')).toMatch(/^\d+$/)
    await sleep(100)
  }
}

test('no booking is lost while people book and cancel and an import changes every course', async () => {
  const { db } = server
  const users = await Promise.all(Array.from({ length: 20 }, () => insertUserWithSession(db)))
  const courses = await db.query<{ id: number }>(sql`select id from courses order by id`)
  await folder.write(programme('Umbenannt'))
  let isRunning = true
  const command = importFolder([folder.path]).finally(() => {
    isRunning = false
  })
  const waits: number[] = []
  let kept = 0
  const people = users.map(async ({ token }, person) => {
    for (let attempt = 0; isRunning || attempt < 5; attempt += 1) {
      const id = courses[(person * 7 + attempt * 61) % courses.length]?.id ?? 0
      const begin = performance.now()
      const booked = await untilServed(() => server.request(bookCourse, { token, body: { id } }))
      waits.push(performance.now() - begin)
      expect(booked).toMatchObject({ status: 200, body: { status: 'Ok' } })
      if (attempt % 3 > 0) kept += 1
      else await untilServed(() => server.request(cancelCourse, { token, body: { id } }))
    }
  })
  await Promise.all(people)
  expect(await command).toMatchObject({ status: 0, stdout: expect.stringMatching(/^courses\.csv +0 +1200 +0 +0$/m) })
  const slowest = Math.round(Math.max(...waits))
  console.log(`${waits.length} bookings during an import of 1,200 changed courses, the slowest took ${slowest} ms`)
  expect(slowest).toBeLessThan(15_000)
  const wrong = await db.query(sql`
    select c.number, c.taken, c.booking_seq, b.* from courses c left join (
      select course_id, count(*) filter (where cancelled_at is null) as active, max(seq) as last from bookings group by 1
    ) b on b.course_id = c.id
    where (c.taken, c.booking_seq) is distinct from (coalesce(b.active, 0), coalesce(b.last, 0)) or c.name not like 'Umbenannt%'`)
  expect(wrong).toEqual([])
  const { active } = await db.one<{ active: number }>(
    sql`select count(*) as active from bookings where cancelled_at is null`,
  )
  expect(active).toBeGreaterThan(0)
  expect(active).toBeLessThanOrEqual(kept)
}, 60_000)

test('a relative folder is resolved against the folder in which the command was called', async () => {
  const [parent, name] = [dirname(folder.path), basename(folder.path)]
  const { status, stdout } = await importFolder([name, '--dry-run'], { INIT_CWD: parent })
  expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringContaining('Dry run') })
}, 60_000)

test.each(['dry-run', 'prune'])('--%s consumed by npm aborts the import', async name => {
  const taken = { [`npm_config_${name.replace('-', '_')}`]: 'true' }
  const { status, stdout, stderr } = await importFolder([folder.path], taken)
  expect(stderr.trim().split('\n')).toEqual([expect.stringContaining(`npm run import -- FOLDER --${name}`)])
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
})

test('a folder without anything to import is reported', async () => {
  const empty = await createTestFolder()
  expect(await importFolder([empty.path])).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('holds none of'),
  })
  await empty.remove()
})

test('a table that is a pipe is reported without reading it', async () => {
  const piped = await createTestFolder()
  spawnSync('mkfifo', [join(piped.path, 'courses.csv')])
  const { status, stderr } = await importFolder([piped.path])
  expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining('courses.csv:1: file: is no file') })
  await piped.remove()
})

test.each([
  ['no folder', [], 'No folder is named'],
  ['a missing folder', ['/nowhere/at/all'], 'There is no folder /nowhere/at/all'],
  ['a file instead of a folder', [startFile], 'is not a folder'],
  ['two folders', ['a', 'b'], 'More than one folder is named: a, b'],
  ['an unknown option', ['.', '--force'], "Unknown option '--force'"],
])('%s: one line and exit status 2', async (_, args, message) => {
  const { status, stdout, stderr } = await importFolder(args)
  expect(stderr.trim().split('\n')).toEqual([expect.stringContaining(message)])
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
})

test.runIf(canBeNobody)('an unreadable folder is reported in one line', async () => {
  await chmod(folder.path, 0o700)
  const [command = '', ...args] = [...asNobody.before, process.execPath, startFile, 'import', folder.path]
  const { status, stderr } = spawnSync(command, args, { encoding: 'utf8' })
  expect(stderr).toBe(`${folder.path} cannot be read (EACCES)\n`)
  expect(status).toBe(2)
})
