// @module-tag extended
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openTestDatabase } from '#server/test/database.ts'
import { startPortal, stopPortals } from '#server/test/portal.ts'

const database = await openTestDatabase()

test.runIf(process.platform === 'linux').each(['1', '2'])(
  'with %s processes, a low ulimit -n and running out of descriptors are logged',
  async PROCESSES => {
    const dataDir = await mkdtemp(join(tmpdir(), 'portal-few-'))
    const sockets: Socket[] = []
    onTestFinished(async () => {
      for (const socket of sockets) socket.destroy()
      await stopPortals()
      await rm(dataDir, { recursive: true, force: true })
    })
    const settings = { DATABASE_URL: database.url, DATA_DIR: dataDir, LOG_LEVEL: 'warn', PROCESSES }
    const portal = startPortal(settings, ['prlimit', '--nofile=200:200'])
    const { hostname, port } = new URL(await portal.url())
    expect(portal.output().match(/few file descriptors/g)).toHaveLength(1)
    expect(portal.output()).toContain('"limit":200')
    for (let count = 0; count < 400; count += 1) {
      const socket = connect(Number(port), hostname).on('error', () => undefined)
      sockets.push(socket)
      await once(socket, 'connect').catch(() => undefined)
    }
    const countLines = () => portal.output().match(/no file descriptor left/g)?.length ?? 0
    await expect.poll(countLines, { timeout: 10_000 }).toBeGreaterThan(0)
    expect(countLines()).toBeLessThanOrEqual(Number(PROCESSES))
  },
  60_000,
)
