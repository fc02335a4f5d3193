// @module-tag extended
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { type Database, openDatabase, sql } from '#server/platform/db/client.ts'
import { migrate } from '#server/platform/db/migrate.ts'
import { open, testFolders } from '#server/test/cluster.ts'
import { startCommand } from '#server/test/command.ts'
import { createTestDatabase } from '#server/test/database.ts'
import { insertBooking, insertCourse, insertUserWithSession } from '#server/test/factories.ts'
import { dumpTables } from '#server/test/import-folder.ts'
import { execute, withDatabase as withName } from '#server/test/setup.ts'
import { findBinariesOfVersion } from './binaries.ts'
import { clusterUser, majorVersion, readClusterVersion } from './cluster.ts'
import { choosePostgresAccount, chownTree, spawnArgumentsForAccount } from './server-account.ts'

const { make, remove } = testFolders()
afterAll(remove)

const older = (await readdir('/usr/lib/postgresql').catch(() => [])).find(
  major => Number(major) < Number(majorVersion),
) as string

/** Creates what an older portal left behind: its rows in a cluster of an older PostgreSQL. */
async function makeOldCluster(): Promise<string> {
  const dataDir = await make()
  const binaries = await findBinariesOfVersion(older, dataDir)
  const account = await choosePostgresAccount(null, dataDir, binaries)
  const folder = join(dataDir, 'postgres')
  const draft = await make()
  chownTree(account, draft)
  const owner = [`--username=${clusterUser}`, '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8', '--no-sync']
  const { command, args, options } = spawnArgumentsForAccount(
    account,
    binaries,
    binaries.initdb,
    `--pgdata=${draft}`,
    ...owner,
  )
  await promisify(execFile)(command, args, options)
  await rename(draft, folder)
  await withDatabase(dataDir, older, async db => {
    await migrate(db)
    const course = await insertCourse(db, { capacity: 5 })
    for (let person = 0; person < 8; person++)
      await insertBooking(db, course.id, (await insertUserWithSession(db)).id as number)
    // Enough rows that a kill interrupts the copy.
    await db.execute(sql`insert into file_contents (sha256, media_type, content)
      select sha256(number::text::bytea), 'text/plain', convert_to(repeat(md5(number::text), 4000), 'UTF8') from generate_series(1, 40) number`)
  })
  return dataDir
}

async function withDatabase<Result>(dataDir: string, major: string, work: (db: Database) => Promise<Result>) {
  const embedded = await open(dataDir, 'portal', { other: { name: 'postgres', major } })
  const db = openDatabase({ connection: embedded.connection, timeZone: 'UTC', poolSize: 1 })
  try {
    return await work(db)
  } finally {
    await db.close()
    await embedded.stop()
  }
}

/** Excludes the times at which migrations were applied. */
async function dump(db: Database) {
  const { migrations: _, ...tables } = await dumpTables(db)
  return tables
}

const startTool = (dataDir: string, ...line: string[]) =>
  startCommand(line.length > 0 ? line : ['retention', '--dry-run'], { DATABASE_URL: '', DATA_DIR: dataDir })

test.skipIf(!older)(
  'the start upgrades a database of an older PostgreSQL, whichever process is killed, and keeps the old one',
  async () => {
    const dataDir = await makeOldCluster()
    const before = await withDatabase(dataDir, older, dump)
    for (const ms of [600, 1_200, 1_800, 2_400]) {
      const killed = startTool(dataDir)
      // A fast machine may have finished by then.
      const ended = once(killed, 'close')
      await sleep(ms)
      killed.kill('SIGKILL')
      await ended
    }
    const child = startTool(dataDir)
    const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
    expect({ status: child.exitCode, errors }).toEqual({ status: 0, errors: '' })
    const names = await readdir(dataDir)
    expect(names, output).toContain(`postgres-${older}`)
    for (const name of ['postgres.next', 'postgres.upgrade', `postgres-${older}.2`, 'postgres.log.next'])
      expect(names).not.toContain(name)
    expect(await readClusterVersion(join(dataDir, 'postgres'))).toBe(majorVersion)
    expect(await withDatabase(dataDir, majorVersion, dump)).toEqual(before)

    // From there, the rows can be moved to an external database.
    const server = await createTestDatabase()
    const name = `moved_${process.pid}`
    await execute(withName(server.url, 'postgres'), `create database ${name} template template0`)
    const mover = startTool(dataDir, 'move', withName(server.url, name))
    const [said, complaints] = await Promise.all([text(mover.stdout), text(mover.stderr), once(mover, 'close')])
    expect(complaints).toBe('')
    expect(said).toContain('each row compared')
    await execute(withName(server.url, 'postgres'), `drop database ${name} with (force)`)
    await server.close()
  },
  120_000,
)
