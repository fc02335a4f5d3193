import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { openTestDatabase } from '#server/test/database.ts'
import { startPortal, stopPortals } from '#server/test/portal.ts'
import { notifySystemdReady } from './serve.ts'

const isInstalled = (program: string) => spawnSync(program, ['--version'], { stdio: 'ignore' }).error === undefined
afterEach(stopPortals)

/** Prints the first message that the socket receives, like systemd. Node.js does not support such sockets. */
const RECEIVER = `
import socket, sys
receiver = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
receiver.bind(sys.argv[1])
print('bound', flush=True)
print(receiver.recv(4096).decode(), flush=True)
`

test.skipIf(!isInstalled('python3') || !isInstalled('systemd-notify'))(
  'systemd is notified only when the portal accepts requests',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'notify-'))
    const socket = join(folder, 'notify')
    const receiver = spawn('python3', ['-c', RECEIVER, socket])
    let heard = ''
    receiver.stdout.on('data', chunk => {
      heard += chunk
    })
    try {
      await expect.poll(() => heard, { timeout: 10_000 }).toContain('bound')
      const database = await openTestDatabase()
      const portal = startPortal({ DATABASE_URL: database.url, NOTIFY_SOCKET: socket, OFFICE_PASSKEY: 'off' })
      const url = await portal.url()
      await expect.poll(() => heard, { timeout: 20_000 }).toContain('READY=1')
      expect(heard).toContain(`MAINPID=${portal.pid}`)
      expect((await fetch(`${url}/api/health/ready`)).status).toBe(200)
    } finally {
      receiver.kill()
      await Promise.race([once(receiver, 'exit'), sleep(2_000)])
      await rm(folder, { recursive: true })
    }
  },
)

test('without the program that notifies systemd, the log names it in one line, and the portal serves', async () => {
  const warnings: unknown[] = []
  const { PATH } = process.env
  process.env.PATH = '/nowhere'
  await notifySystemdReady(true, { warn: (...line: unknown[]) => void warnings.push(line) }).finally(() => {
    process.env.PATH = PATH
  })
  expect(warnings).toEqual([
    [{ reason: 'the program systemd-notify is not installed' }, expect.stringContaining('NOTIFY_SOCKET')],
  ])
})
