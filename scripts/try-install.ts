import { execFile, spawn } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs, promisify } from 'node:util'
import { findPackages, readBlocks, withDemo, withoutSignature } from './install-blocks.ts'

/**
 * Usage: node scripts/run.mjs scripts/try-install.ts [--release FILE [--document FILE]] [--next FILE] [--rounds N] [--one]
 * [--suite NAME]
 * Creates minimal machines, boots each with its own systemd and network, and runs the commands of
 * docs/operation/install.md on them. It then kills each process, cuts the power of each machine, and measures the
 * recovery time. Requires root, mmdebstrap and systemd-nspawn, and for Ubuntu its keyring as well.
 */
const { values } = parseArgs({
  options: {
    release: { type: 'string' },
    /** release to upgrade to and to revert from; by default, no upgrade is tested */
    next: { type: 'string' },
    /** manual of the release, if it is an older one */
    document: { type: 'string', default: 'docs/operation/install.md' },
    /** number of power cuts of the machine with the primary database */
    rounds: { type: 'string', default: '3' },
    one: { type: 'boolean', default: false },
    /** bookworm (Debian 12), trixie (Debian 13) or noble (Ubuntu 24.04 LTS) */
    suite: { type: 'string', default: 'bookworm' },
    /** tar archive of the base system, cached for later runs */
    bare: { type: 'string' },
  },
})
const run = promisify(execFile)
const root = join(import.meta.dirname, '..')
const ADDRESSES: Record<string, string> = { one: '10.20.0.1', two: '10.20.0.2', three: '10.20.0.3' }
const BRIDGE = 'portal-trial'
const NAME = 'sport.example.com'
const PATIENCE_MS = 120_000
const CALL_MS = 4_000
const SUITE = values.suite
const DEBIAN = 'http://deb.debian.org/debian'
const UBUNTU = 'http://archive.ubuntu.com/ubuntu'
/** Host path of Ubuntu's keyring, because mmdebstrap does not find it itself. */
const UBUNTU_KEYS = '[signed-by=/usr/share/keyrings/ubuntu-archive-keyring.gpg]'
const SOURCES =
  SUITE === 'noble'
    ? [`${UBUNTU_KEYS} ${UBUNTU} ${SUITE} main universe`, `${UBUNTU_KEYS} ${UBUNTU} ${SUITE}-updates main universe`]
    : [`${DEBIAN} ${SUITE} main`, `${DEBIAN} ${SUITE}-updates main`, `${DEBIAN}-security ${SUITE}-security main`]

type Machine = { name: string; folder: string; leader: number; console: ReturnType<typeof spawn> }
const machines = new Map<string, Machine>()
const seconds = (since: number) => ((performance.now() - since) / 1000).toFixed(1)
const say = (line: string) => console.log(`${new Date().toISOString().slice(11, 19)}  ${line}`)

/** Fills apt's cache while the host is online, because the machines have no internet access. */
async function makeBare(folder: string, packages: string[]): Promise<string> {
  const bare = values.bare ? resolve(values.bare) : join(folder, 'bare.tar')
  if (values.bare && (await readFile(bare).catch(() => null))) return bare
  const fill = `chroot "$1" apt-get install -y --no-install-recommends --download-only ${packages.join(' ')}`
  const options = ['--variant=minbase', '--include=apt,systemd-sysv,dbus,ca-certificates,openssl', '--skip=cleanup/apt']
  await run(
    'mmdebstrap',
    [...options, `--customize-hook=${fill}`, SUITE, bare, ...SOURCES.map(source => `deb ${source}`)],
    {
      maxBuffer: 2 ** 26,
    },
  )
  return bare
}

async function boot(name: string, folder: string): Promise<Machine> {
  const flags = ['--quiet', '--register=no', '--keep-unit', '--boot', `--machine=${name}`, `--network-bridge=${BRIDGE}`]
  const guest = spawn('systemd-nspawn', [...flags, `--directory=${folder}`], { stdio: 'ignore' })
  let leader = 0
  for (const since = performance.now(); leader === 0 && performance.now() - since < PATIENCE_MS; await sleep(50)) {
    const { stdout } = await run('ps', ['-o', 'pid=,comm=', '--ppid', String(guest.pid)]).catch(() => ({ stdout: '' }))
    leader = Number(/(\d+) systemd$/m.exec(stdout)?.[1] ?? 0)
  }
  const machine = { name, folder, leader, console: guest }
  machines.set(name, machine)
  await run('nsenter', ['-t', `${leader}`, '-n', 'ip', 'address', 'add', `${ADDRESSES[name]}/24`, 'dev', 'host0'])
  await run('nsenter', ['-t', `${leader}`, '-n', 'ip', 'link', 'set', 'host0', 'up'])
  await within(machine, 'until systemctl is-system-running | grep -qE "running|degraded"; do sleep 0.1; done')
  return machine
}

/** Runs commands on a machine and stops at the first that fails. */
async function within({ name, leader }: Machine, commands: string): Promise<string> {
  const environment = [
    'env',
    '-i',
    'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    'HOME=/root',
    'DEBIAN_FRONTEND=noninteractive',
  ]
  const line = ['-t', `${leader}`, '-a', ...environment, 'bash', '--norc', '-euo', 'pipefail', '-c', commands]
  try {
    return (await run('nsenter', line, { timeout: PATIENCE_MS * 3, maxBuffer: 2 ** 26 })).stdout
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string }
    throw new Error(`on ${name}: ${commands}\n${stdout}\n${stderr}`)
  }
}

/** Simulates a power cut, so that no process can clean up. */
async function cutPower(machine: Machine): Promise<void> {
  const gone = new Promise(end => machine.console.once('exit', end))
  process.kill(machine.leader, 'SIGKILL')
  await gone
}

const one = () => machines.get('one') as Machine
const curl = `curl --silent --show-error --max-time ${CALL_MS / 1000} --cacert /etc/nginx/tls/authority.crt --resolve ${NAME}:443:127.0.0.1`

async function ask(path: string, options = ''): Promise<{ status: number; body: string }> {
  const answer = await within(
    one(),
    `${curl} ${options} --write-out '\\n%{http_code}' 'https://${NAME}${path}' || true`,
  )
  const [body = '', status] = [answer.slice(0, answer.lastIndexOf('\n')), answer.slice(answer.lastIndexOf('\n') + 1)]
  return { status: Number(status), body }
}

/**
 * @param stopping ends the attempts; the course is then in `unsure`
 * @returns number of seconds until a booking or cancellation succeeded
 */
async function untilBooked(person: Person, since: number, stopping?: AbortSignal): Promise<number> {
  while (performance.now() - since < PATIENCE_MS) {
    const isBooking = person.booked.size < person.courses.length
    const id = isBooking ? person.courses.find(course => !person.booked.has(course)) : [...person.booked][0]
    if (stopping?.aborted) {
      person.unsure.add(id as number)
      return 0
    }
    const path = `/api/course/${isBooking ? 'coursebooking' : 'coursecancel'}`
    const headers = `-X PUT -H 'SessionToken: ${person.token}' -H 'Content-Type: application/json' -d '{"id":${id}}'`
    const { status, body } = await ask(path, headers)
    // Refused, for example because the person has booked and cancelled the course too often.
    if (status === 200 && JSON.parse(body).code !== undefined) {
      person.courses = person.courses.filter(course => course !== id)
      person.booked.delete(id as number)
    } else if (status === 200) {
      person.unsure.delete(id as number)
      person.changed.push(id as number)
      if (isBooking) person.booked.add(id as number)
      else person.booked.delete(id as number)
      return (performance.now() - since) / 1000
    }
    await sleep(200)
  }
  throw new Error('nobody can book')
}

type Person = {
  token: string
  courses: number[]
  booked: Set<number>
  /** courses of which it is not known whether they are booked: the last change was sent, but not acknowledged */
  unsure: Set<number>
  /** course of each acknowledged booking and cancellation, in their order */
  changed: number[]
}

/** Books and cancels all the time. @returns function that stops it and reports how much was acknowledged */
function bookMeanwhile(person: Person): () => Promise<string> {
  const stopping = new AbortController()
  const times: number[] = []
  const ended = (async () => {
    for (; !stopping.signal.aborted; await sleep(500))
      times.push(await untilBooked(person, performance.now(), stopping.signal))
  })()
  return async () => {
    stopping.abort()
    await ended
    return `${times.length} bookings and cancellations acknowledged, the slowest after ${Math.max(0, ...times).toFixed(1)} s`
  }
}

/** @returns the session token */
async function logIn(name: string): Promise<string> {
  const xsrf = `-H 'Cookie: XSRF-TOKEN=a' -H 'X-XSRF-TOKEN: a' -H 'Content-Type: application/json'`
  const login = JSON.stringify({ userName: `${name}@demo.example`, password: 'Demo-Sport-2026' })
  const session = await ask('/api/session', `-X PUT ${xsrf} -d '${login}'`)
  return JSON.parse(session.body).id
}

async function findPerson(): Promise<Person> {
  const token = await logIn('employee')
  const { body } = await ask('/api/course/session', `-H 'SessionToken: ${token}'`)
  const all: { id: number; bookable: boolean; bookingStatus: number }[] = JSON.parse(body)
  const courses = all.filter(course => course.bookable && course.bookingStatus === 0).map(({ id }) => id)
  if (courses.length < 5) throw new Error(`too few courses to book: ${body.slice(0, 300)}`)
  return { token, courses, booked: new Set(), unsure: new Set(), changed: [] }
}

/** Verifies that all acknowledged changes are stored, and nothing else. */
async function compare(person: Person): Promise<void> {
  const { body } = await ask('/api/course/booked', `-H 'SessionToken: ${person.token}'`)
  const isSure = (id: number) => person.courses.includes(id) && !person.unsure.has(id)
  const there = (JSON.parse(body) as { id: number }[]).map(({ id }) => id).filter(isSure)
  const booked = [...person.booked].filter(isSure)
  if (there.sort().join() !== booked.sort().join()) throw new Error(`booked ${booked}, found ${there}`)
}

async function main(): Promise<void> {
  const document = await readFile(resolve(root, values.document), 'utf8')
  const blocks = readBlocks(document)
  const released = values.release ?? (await newestRelease())
  const folder = await mkdtemp(join(tmpdir(), 'trial-'))
  await run('ip', ['link', 'add', BRIDGE, 'type', 'bridge'])
  await run('ip', ['link', 'set', BRIDGE, 'up'])
  try {
    let since = performance.now()
    const bare = await makeBare(folder, findPackages(document))
    say(`a bare ${SUITE} and the packages: ${seconds(since)} s`)
    for (const name of values.one ? ['one'] : Object.keys(ADDRESSES)) {
      const own = join(folder, name)
      await mkdir(own)
      await run('tar', ['-xf', bare, '-C', own])
      await writeFile(join(own, 'etc/hostname'), `${name}\n`)
      for (const file of [released, `${released}.sha256`]) await cp(file, join(own, 'root', basename(file)))
      await boot(name, own)
    }
    const before = await measure()

    since = performance.now()
    let commands = await runBlocks(blocks.filter(({ section }) => section.startsWith('One machine')))
    const after = await measure()
    say(`one machine: ${commands} commands, ${seconds(since)} s, ${after - before} MB on its disk`)
    const person = await findPerson()
    await untilBooked(person, performance.now())
    await killEach(person)

    since = performance.now()
    await cutPower(one())
    await boot('one', one().folder)
    say(`power cut, and a booking again: ${(await untilBooked(person, since)).toFixed(1)} s`)
    await compare(person)

    if (values.next) await tryUpgrade(person, blocks, resolve(values.next))
    say(`${(await within(one(), 'systemd-analyze security portal | tail -1')).trim()}`)
    say((await within(one(), 'DATA_DIR=/var/lib/portal /opt/portal/packaging/portal audit')).trim())
    if (values.one) return

    since = performance.now()
    commands = await runBlocks(blocks.filter(({ section }) => section.startsWith('From one machine')))
    await compare(person)
    say(`three machines: ${commands} commands, ${seconds(since)} s`)
    await failOver(person)
    const url = '$(grep ^DATABASE_URL /etc/portal.env)'
    say((await within(one(), `env ${url} DATA_DIR=/tmp/audit /opt/portal/packaging/portal audit`)).trim())
  } finally {
    for (const machine of machines.values()) await cutPower(machine).catch(() => undefined)
    await run('ip', ['link', 'delete', BRIDGE])
    await rm(folder, { recursive: true, force: true })
  }
}

type Dates = { courseDates: { id: number; participants: { id: number; isUserPresent: boolean }[] }[] }
type Tick = { courseId: number; courseDateId: number; webUserId: number }

async function readDates(token: string, courseId: number): Promise<Dates['courseDates']> {
  const { body } = await ask(`/api/course/${courseId}/dates`, `-H 'SessionToken: ${token}'`)
  return (JSON.parse(body) as Dates).courseDates
}

/** Records the attendance of the first participant whose attendance can be recorded. */
async function recordTick(): Promise<Tick> {
  const token = await logIn('instructor')
  const { body } = await ask('/api/course/instructor', `-H 'SessionToken: ${token}'`)
  for (const { id: courseId } of JSON.parse(body) as { id: number }[])
    for (const { id: courseDateId, participants } of await readDates(token, courseId))
      for (const { id: webUserId } of participants.filter(({ isUserPresent }) => !isUserPresent)) {
        const change = JSON.stringify({ changeState: 'added', courseDateId, webUserId })
        const headers = `-X POST -H 'SessionToken: ${token}' -H 'Content-Type: application/json' -d '${change}'`
        const { body: answer } = await ask('/api/course/dates/participant/change', headers)
        if (answer.includes('"Ok"')) return { courseId, courseDateId, webUserId }
      }
  throw new Error('no attendance can be recorded')
}

/** Verifies that bookings, recorded attendance and mail files are unchanged, and that the audit finds nothing. */
async function verifyData(person: Person, tick: Tick, mails: string): Promise<void> {
  person.token = await logIn('employee')
  await compare(person)
  const dates = await readDates(await logIn('instructor'), tick.courseId)
  const participants = dates.find(({ id }) => id === tick.courseDateId)?.participants
  if (!participants?.find(({ id }) => id === tick.webUserId)?.isUserPresent)
    throw new Error('the attendance is missing')
  await within(one(), `cd /var/lib/portal/outbox && ls ${mails}`)
  say((await within(one(), 'DATA_DIR=/var/lib/portal /opt/portal/packaging/portal audit')).trim())
}

/** Builds a release archive whose migrations delete data and then fail. */
async function breakRelease(next: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'broken-'))
  const file = join(folder, 'sports-course-portal-99.0.0-linux-x64.tar.gz')
  await mkdir(join(folder, 'broken'))
  await run('tar', ['-xzf', next, '-C', join(folder, 'broken'), '--strip-components=1'])
  const migrations = join(folder, 'broken/server/platform/db/migrations')
  await writeFile(join(migrations, '9998_delete.sql'), 'truncate bookings cascade')
  await writeFile(join(migrations, '9999_fail.sql'), 'select 1 / 0')
  await run('tar', ['-czf', file, '-C', folder, 'broken'])
  await run('sh', ['-c', `cd ${folder} && sha256sum ${basename(file)} > ${file}.sha256`])
  return file
}

/** Kills an upgrade while the next release starts, and goes back from it with bookings until the portal is stopped. */
async function undoKilled(person: Person, next: string): Promise<void> {
  const stop = bookMeanwhile(person)
  const upgrade = `setsid /opt/portal/packaging/portal upgrade /root/${basename(next)} --unsigned`
  const until = (text: string) => `until grep -q '^${text}' upgrade.log; do sleep 0.1; done`
  await within(one(), `cd /root\n${upgrade} > upgrade.log 2>&1 &\necho $! > upgrade.pid\n${until('copying')}`)
  const acknowledged = await stop()
  await within(one(), `cd /root\n${until('starting')}\nkill -9 -- -$(cat upgrade.pid)`)
  say(`an upgrade killed while the next release starts: ${acknowledged}`)
  say((await within(one(), '/opt/portal/packaging/portal upgrade --undo')).trim())
  await within(one(), `rm -r /opt/${basename(next, '.tar.gz')} /var/lib/portal/after-*`)
}

/**
 * Upgrades to a release that does not start, then to the next release, once killed meanwhile, and finally reverts the
 * upgrade. Bookings go on all the time.
 */
async function tryUpgrade(person: Person, blocks: ReturnType<typeof readBlocks>, next: string): Promise<void> {
  const bring = async (file: string) => {
    for (const machine of machines.values()) {
      await within(machine, 'rm -f /root/sports-course-portal-*')
      for (const from of [file, `${file}.sha256`]) await cp(from, join(machine.folder, 'root', basename(from)))
    }
  }
  const runNamed = (name: string) => runBlocks(blocks.filter(({ machines: [first] }) => first === name))
  const isFirst = (await within(one(), 'test -e /opt/portal/server/commands/upgrade.ts || echo first')) !== ''
  const command = isFirst ? 'first-upgrade' : 'upgrade'
  const tick = await recordTick()
  while (person.booked.size === 0) await untilBooked(person, performance.now())
  const mails = (await within(one(), 'cd /var/lib/portal/outbox && ls *.eml')).replaceAll('\n', ' ')

  let since = performance.now()
  const broken = await breakRelease(next)
  await bring(broken)
  let stop = bookMeanwhile(person)
  const refusal = await runNamed(command).then(
    () => 'nothing',
    (error: Error) => error.message,
  )
  say(`during the failed upgrade: ${await stop()}`)
  if (!refusal.includes('serves as before')) throw new Error(`the broken release: ${refusal}`)
  await rm(join(broken, '..'), { recursive: true })
  await within(one(), 'rm -rf /root/next')
  await verifyData(person, tick, mails)
  say(`a release that deletes data and does not start: back after ${seconds(since)} s`)

  await bring(next)
  const canUndo = await within(one(), 'grep -s -- --undo /opt/portal/server/commands/upgrade.ts || true')
  if (canUndo !== '') {
    await undoKilled(person, next)
    await verifyData(person, tick, mails)
  }
  since = performance.now()
  const earlier = person.changed.length
  stop = bookMeanwhile(person)
  let commands = await runNamed(command)
  say(`during the upgrade: ${await stop()}`)
  // The database must not stop before the requests that are running have finished.
  const failed = await within(one(), "journalctl -u portal -o cat | grep -c 'database system is shutting down' || true")
  say(`requests that failed because the database stopped before them: ${failed.trim()}`)
  await verifyData(person, tick, mails)
  say(`upgrade to ${basename(next)}: ${commands} commands, ${seconds(since)} s`)
  say(`journal: ${(await within(one(), "journalctl -u portal -o cat | grep '^upgrade to' || true")).trim()}`)

  since = performance.now()
  await untilBooked(person, performance.now())
  commands = await runNamed('back')
  // The backup was made during the upgrade.
  person.unsure = new Set(person.changed.slice(earlier))
  await verifyData(person, tick, mails)
  say(`back to the release of before: ${commands} commands, ${seconds(since)} s`)
  await within(one(), `rm -r /opt/${basename(next, '.tar.gz')}`)
  await runNamed(command)
  await verifyData(person, tick, mails)
  say(`backups: ${(await within(one(), 'ls /var/lib/portal-backups')).trim().split('\n').join(', ')}`)
}

async function newestRelease(): Promise<string> {
  const names = (await readdir(join(root, 'release')).catch(() => [])).filter(name => name.endsWith('.tar.gz'))
  if (names[0] === undefined) throw new Error('there is no release: npm run release')
  return join(root, 'release', names[0])
}

async function runBlocks(blocks: ReturnType<typeof readBlocks>): Promise<number> {
  let commands = 0
  for (const block of blocks) {
    for (const name of block.machines) {
      await within(machines.get(name) ?? one(), withoutSignature(withDemo(block.commands)))
      commands += block.typed
    }
  }
  return commands
}

/** Disk usage of the first machine in MB, excluding the files it had initially. */
async function measure(): Promise<number> {
  const left = ['--exclude=./proc', '--exclude=./sys', '--exclude=./dev', '--exclude=./run', '--exclude=./root']
  const { stdout } = await run('du', ['-sm', ...left, '--exclude=./var/cache/apt', '.'], { cwd: one().folder })
  return Number.parseInt(stdout, 10)
}

/** Kills each portal process with SIGKILL. */
async function killEach(person: Person): Promise<void> {
  const victims = {
    'the portal': 'systemctl show -P MainPID portal',
    'a process of the portal':
      'tr " " "\\n" < /proc/$(systemctl show -P MainPID portal)/task/$(systemctl show -P MainPID portal)/children | tail -1',
    PostgreSQL: 'head -1 /var/lib/portal/postgres/postmaster.pid',
    nginx: 'systemctl show -P MainPID nginx',
  }
  for (const [name, find] of Object.entries(victims)) {
    const pid = (await within(one(), find)).trim()
    const since = performance.now()
    await within(one(), `kill -9 ${pid}`)
    say(`${name} killed, and a booking again: ${(await untilBooked(person, since)).toFixed(1)} s`)
    await compare(person)
    // The pause avoids systemd's start limit for services that fail repeatedly.
    await sleep(3_000)
  }
}

/** Cuts the power of the machine with the primary database, which then returns as the standby. */
async function failOver(person: Person): Promise<void> {
  const away: number[] = []
  const state = (name: string, path: string) =>
    within(
      one(),
      `curl --silent --max-time 2 --output /dev/null --write-out '%{http_code}' http://${ADDRESSES[name]}:8008/${path} || true`,
    )
  for (let round = 0; round < Number(values.rounds); round++) {
    const leading = (await state('two', 'primary')) === '200' ? 'two' : 'three'
    const other = leading === 'two' ? 'three' : 'two'
    while ((await state(other, 'synchronous')) !== '200') await sleep(500)
    await untilBooked(person, performance.now())
    const since = performance.now()
    await cutPower(machines.get(leading) as Machine)
    away.push(await untilBooked(person, since))
    await compare(person)
    say(`${leading}, whose database leads, loses its power: a booking again after ${away.at(-1)?.toFixed(1)} s`)
    await boot(leading, (machines.get(leading) as Machine).folder)
  }
  say(`failovers: ${away.length}, away at most ${Math.max(...away).toFixed(1)} s, nothing acknowledged missing`)
}

await main()
process.exit()
