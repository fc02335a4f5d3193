import { execFile, spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs, promisify } from 'node:util'
import type { Endpoint, ResponseOf } from '#contract/endpoint.ts'
import { bookCourse, listBookedCourses, listCoursesOfSession } from '#contract/endpoints/courses.ts'
import { login } from '#contract/endpoints/session.ts'

/**
 * Usage: node scripts/run.mjs scripts/try-compose.ts --release FILE
 * Tests packaging/compose.yaml of a release with podman-compose in an isolated network and mount namespace: up, a
 * booking, restart, down, up again. Requires root and the images portal-alone (docs/operation/running.md) and postgres:18.
 */
const { values } = parseArgs({ options: { release: { type: 'string' } } })
const INSIDE = 'TRY_COMPOSE_INSIDE'
if (!values.release) throw new Error('usage: node scripts/run.mjs scripts/try-compose.ts --release FILE')
if (!process.env[INSIDE]) {
  // podman's runtime rejects hosts with mixed cgroup versions. After the unmount, it sees only one version.
  const enter = 'umount /sys/fs/cgroup/unified 2>/dev/null; ip link set lo up; exec "$@"'
  const again = [process.execPath, ...process.argv.slice(1)]
  const { status } = spawnSync('unshare', ['-m', '-n', 'sh', '-c', enter, 'sh', ...again], {
    stdio: 'inherit',
    env: { ...process.env, [INSIDE]: '1' },
  })
  process.exit(status ?? 1)
}

const run = promisify(execFile)
const URL_OF_PORTAL = 'http://127.0.0.1:8080'
const say = (line: string) => console.log(`${new Date().toISOString().slice(11, 19)}  ${line}`)
const folder = await mkdtemp(join(tmpdir(), 'try-compose-'))
await run('tar', ['-xzf', resolve(values.release), '--strip-components=1', '-C', folder])

// Configuration for hosts on which limits cannot be raised. The demo programme allows test bookings.
const conf = join(folder, 'containers.conf')
await writeFile(
  conf,
  '[containers]\ndefault_ulimits = ["nofile=1024:1024", "nproc=4096:4096"]\n[network]\nnetwork_backend = "netavark"\n',
)
await writeFile(join(folder, 'demo.yaml'), "services:\n  portal:\n    environment: { DEMO: 'on' }\n")
const secrets = join(folder, 'packaging/secrets')
await mkdir(secrets)
await writeFile(join(secrets, 'database-password'), 'of-the-trial')
await writeFile(join(secrets, 'database-url'), 'postgres://portal:of-the-trial@database:5432/portal')

const compose = (...args: string[]) =>
  run('podman-compose', ['-f', 'packaging/compose.yaml', '-f', 'demo.yaml', ...args], {
    cwd: folder,
    env: { ...process.env, CONTAINERS_CONF: conf },
    maxBuffer: 2 ** 26,
  })
async function untilReady(after: string): Promise<void> {
  const begun = performance.now()
  while (performance.now() - begun < 120_000) {
    const isReady = await fetch(`${URL_OF_PORTAL}/api/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isReady) return say(`${after}: ready after ${((performance.now() - begun) / 1000).toFixed(1)} s`)
    await sleep(250)
  }
  throw new Error(`${after}: the portal is not ready`)
}
async function call<E extends Endpoint>({ method, path }: E, token = '', body?: object): Promise<ResponseOf<E>> {
  const headers = {
    'Content-Type': 'application/json',
    'X-XSRF-TOKEN': 't',
    Cookie: 'XSRF-TOKEN=t',
    ...(token && { SessionToken: token }),
  }
  const answer = await fetch(URL_OF_PORTAL + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  return (await answer.json()) as ResponseOf<E>
}

try {
  await compose('up', '-d', '--no-build')
  await untilReady('up')
  const { id: token } = await call(login, '', {
    userName: 'external@demo.example',
    password: 'Demo-Sport-2026',
    keepSession: false,
  })
  const courses = await call(listCoursesOfSession, token)
  const id = Array.isArray(courses) ? courses.find(({ directlyBookable }) => directlyBookable)?.id : undefined
  const { status } = await call(bookCourse, token, { id })
  if (status !== 'Ok') throw new Error(`no booking: ${status}`)
  const isBooked = async () => (await call(listBookedCourses, token)).some(course => course.id === id)
  const requireBooked = async (after: string) => {
    await untilReady(after)
    if (!(await isBooked())) throw new Error(`${after}: the booking is gone`)
    say(`${after}: course ${id} is booked, the session still works`)
  }
  await requireBooked('booked')
  await compose('restart', '-t', '60')
  await requireBooked('restart')
  await compose('down', '-t', '60')
  await compose('up', '-d', '--no-build')
  await requireBooked('down and up')
  const { stdout } = await run('podman', ['exec', 'packaging_portal_1', '/opt/portal/node', '-p', 'process.getuid()'])
  say(`the portal runs as ${stdout.trim()}`)
} finally {
  await compose('down', '-v', '-t', '60').catch(error => say(`down: ${error.message}`))
  await rm(folder, { recursive: true, force: true })
}
