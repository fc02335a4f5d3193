// @module-tag extended
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readlink, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { upgradeRelease } from '#server/operations/upgrade/upgrade.ts'
import { runCommand } from '#server/test/command.ts'
import { createEmptyDatabase, dump, makeFolder, query } from '#server/test/copies.ts'
import { createTestDatabase } from '#server/test/database.ts'
import { insertContentFile } from '#server/test/factories.ts'
import { startFaultProxy, targetOf, throughProxy } from '#server/test/fault-proxy.ts'
import { findFreePort } from '#server/test/free-port.ts'
import { createPersonTraces } from '#server/test/person.ts'
import { type PortalProcess, startFile, startPortal } from '#server/test/portal.ts'
import { packReleaseArchive } from '#server/test/release-archive.ts'

const SEED = Number(process.env.SEED ?? Math.floor(Math.random() * 1_000_000))
const CUTS_EACH = 3
const ONE_LINE = /^[^\n]*(?:connection|database)[^\n]*\n$/i

async function createScene() {
  const [portal, folder] = [await createTestDatabase(), await makeFolder()]
  onTestFinished(portal.close)
  await createPersonTraces(portal.db)
  await insertContentFile(portal.db, 'large.bin', 'image/png', randomBytes(1_000_000))
  const whole = join(folder, 'whole.zip')
  const run = (url: string, ...words: string[]) => runCommand(words, { DATABASE_URL: url, DATA_DIR: folder })
  expect(await run(portal.url, 'backup', whole)).toMatchObject({ status: 0, stderr: '' })
  return { portal, folder, whole, run }
}
type Scene = Awaited<ReturnType<typeof createScene>>

/** Runs a command through a proxy that resets its connections after a number of bytes. */
async function runCut(
  url: string,
  bytes: number,
  run: (url: string) => ReturnType<typeof runCommand>,
  afterwards: (url: string) => Promise<unknown> = async () => {},
) {
  const proxy = await startFaultProxy(targetOf(url))
  try {
    if (bytes > 0) proxy.cutAfter(bytes)
    const result = await run(throughProxy(url, proxy))
    const passed = proxy.passed()
    if (result.status !== 0) await afterwards(throughProxy(url, proxy))
    return { ...result, passed }
  } finally {
    await proxy.close()
  }
}

type Command = {
  /** runs the command once, cut after this number of bytes (0: never), and checks what it has left behind */
  attempt(scene: Scene, bytes: number): Promise<{ status: number | null; stderr: string; passed: number }>
}

const COMMANDS: Record<string, Command> = {
  backup: {
    async attempt({ portal, folder, run }, bytes) {
      const file = join(folder, `cut-${bytes}.zip`)
      const result = await runCut(portal.url, bytes, url => run(url, 'backup', file))
      const names = await readdir(folder)
      expect(names.filter(name => name.endsWith('.part'))).toEqual([])
      expect(names.includes(`cut-${bytes}.zip`)).toBe(result.status === 0)
      return result
    },
  },
  restore: {
    async attempt({ portal, whole, run }, bytes) {
      const target = await createEmptyDatabase()
      const result = await runCut(
        target,
        bytes,
        url => run(url, 'restore', whole),
        async url => expect(await run(url, 'restore', whole)).toMatchObject({ status: 0, stderr: '' }),
      )
      const rows = await dump(target, ['outgoing_hold', 'sessions', 'account_tokens', 'passkey_challenges'])
      expect(Object.keys(rows)).toEqual(
        Object.keys(await dump(portal.url, ['outgoing_hold', 'sessions', 'account_tokens', 'passkey_challenges'])),
      )
      return result
    },
  },
  'move, cut from the old database': {
    async attempt({ portal, run }, bytes) {
      const target = await createEmptyDatabase()
      const result = await runCut(portal.url, bytes, url => run(url, 'move', target))
      return verifyMove(portal.url, target, result, run)
    },
  },
  'move, cut from the new database': {
    async attempt({ portal, run }, bytes) {
      const target = await createEmptyDatabase()
      const result = await runCut(target, bytes, url => run(portal.url, 'move', url))
      return verifyMove(portal.url, target, result, run)
    },
  },
  'upgrade, cut in the backup': { attempt: (scene, bytes) => attemptUpgrade(scene, bytes, 'backup') },
  'upgrade, cut while the new release starts': { attempt: (scene, bytes) => attemptUpgrade(scene, bytes, 'start') },
}

/** Upgrades between two releases of the same program, one of whose steps has its connections cut. */
async function attemptUpgrade({ portal: { url: direct } }: Scene, bytes: number, cutStep: 'backup' | 'start') {
  const [folder, port] = [await makeFolder(), await findFreePort()]
  const at = (name: string) => join(folder, name)
  for (const name of ['portal-1.0.0', 'backups', 'data']) await mkdir(at(name))
  await writeFile(at('portal-1.0.0/package.json'), '{"version":"1.0.0"}')
  await symlink(at('portal-1.0.0'), at('portal'))
  const isNext = async () => (await readlink(at('portal'))).endsWith('2.0.0')
  const isReady = async () => (await fetch(`http://127.0.0.1:${port}/api/health/ready`)).ok
  const proxy = await startFaultProxy(targetOf(direct))
  if (bytes > 0) proxy.cutAfter(bytes)
  const settings = (isCut: boolean) => ({
    DATABASE_URL: isCut ? throughProxy(direct, proxy) : direct,
    DATA_DIR: at('data'),
    PORT: String(port),
  })
  let running: PortalProcess | null = null
  let startErrors: string | null = null
  const service = {
    async start() {
      running = startPortal(settings(cutStep === 'start' && (await isNext())))
      await running.url().catch(error => {
        startErrors = running?.errors() ?? ''
        throw error
      })
    },
    async stop() {
      running?.child.kill()
      await running?.ended
    },
    // execFile rejects as for a failed unit.
    backUp: async () =>
      void (await promisify(execFile)(process.execPath, [startFile, 'backup', at('backups')], {
        env: { ...process.env, ...settings(cutStep === 'backup') },
      })),
    install: async () => undefined,
  }
  try {
    await service.start()
    const file = await packReleaseArchive(folder, '2.0.0')
    const wish = {
      file,
      link: at('portal'),
      dataDir: at('data'),
      isDatabaseExternal: true,
      isUnsignedAccepted: true,
      service,
      isReady,
    }
    const stderr = await upgradeRelease({ ...wish, patienceMs: 30_000, tell: () => undefined }).then(
      () => '',
      error => `${error.message}\n`,
    )
    // The cut may also have hit the database connections of the portal that serves.
    await expect.poll(isReady, { timeout: 20_000, message: stderr }).toBe(true)
    expect(await isNext()).toBe(stderr === '')
    if (cutStep === 'start' && stderr !== '') expect(startErrors, `cut after ${bytes} bytes`).toMatch(ONE_LINE)
    if (stderr !== '')
      expect(stderr).toContain(cutStep === 'start' ? '1.0.0 serves as before' : 'did not begin, 1.0.0 was not stopped')
    expect(await readdir(at('backups'))).toEqual(
      cutStep === 'start' || stderr === '' ? [expect.stringMatching(/^portal-\w+\.zip$/)] : [],
    )
    return { status: stderr === '' ? 0 : 1, stderr, passed: proxy.passed() }
  } finally {
    await service.stop()
    await proxy.close()
  }
}

/** The old database is closed only if the new one has all rows; otherwise it takes writes. */
async function verifyMove<Result extends { status: number | null }>(
  old: string,
  target: string,
  result: Result,
  run: Scene['run'],
): Promise<Result> {
  const tables = await query(target, `select from pg_class where relnamespace = 'public'::regnamespace limit 1`)
  const [{ isClosed } = { isClosed: null }] = await query<{ isClosed: boolean }>(
    old,
    `select to_regclass('moved_to') is not null as "isClosed"`,
  )
  if (tables.length > 0) expect(await dump(target)).toEqual(await dump(old, ['moved_to']))
  else expect(isClosed).toBe(false)
  if (result.status === 0) expect(isClosed).toBe(true)
  if (isClosed) expect(await run(old, 'move', '--undo')).toMatchObject({ status: 0 })
  await query(old, `update web_users set city = city`)
  return result
}

test.each(Object.keys(COMMANDS))(
  '%s: each cut connection is one line, and nothing is left behind',
  {
    timeout: 300_000,
  },
  async name => {
    const command = COMMANDS[name]
    if (!command) throw new Error(name)
    console.log(`SEED=${SEED}`)
    const scene = await createScene()
    const { status, passed } = await command.attempt(scene, 0)
    expect(status).toBe(0)
    const cuts = fc.sample(fc.integer({ min: 1, max: passed }), { seed: SEED, numRuns: CUTS_EACH })
    for (const bytes of cuts) {
      const result = await command.attempt(scene, bytes)
      if (result.status === 0) continue
      expect(result.status, `cut after ${bytes} bytes`).toBe(1)
      expect(result.stderr, `cut after ${bytes} bytes`).toMatch(name.endsWith('starts') ? /^[^\n]+\n$/ : ONE_LINE)
    }
  },
)
