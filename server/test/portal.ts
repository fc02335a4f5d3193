import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

export const startFile = join(import.meta.dirname, '../start.mjs')
const PATIENCE_MS = 60_000
/** Benchmarks start the portal as `npm start` does, with its options for less memory; tests need none. */
const START = process.env.VITEST
  ? [startFile]
  : [join(import.meta.dirname, '../../scripts/run.mjs'), 'server/start.mjs']

/** Portal that runs in its own process, as started by an operator. */
export type PortalProcess = {
  child: ChildProcess
  pid: number
  /** its output on standard error so far */
  errors(): string
  /** its output on standard output so far */
  output(): string
  /** duration of its startup steps and CPU time, read from its log; null unless the log level is info */
  startTimes(): { ms: Record<string, number>; cpuMs: number } | null
  /** its exit status; null if it was killed */
  ended: Promise<number | null>
  /** resolves to its URL. @throws Error with its output if it does not start */
  url(patienceMs?: number): Promise<string>
}

const started: PortalProcess[] = []

/** Lists the process ids of a portal's workers; Linux only. */
export async function listWorkers({ pid }: Pick<PortalProcess, 'pid'>): Promise<number[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '')
  const isWorker = async (child: string) =>
    (await readFile(`/proc/${child}/cmdline`, 'utf8').catch(() => '')).includes('start.mjs\0worker')
  const pids = children.trim().split(' ')
  const flags = await Promise.all(pids.map(isWorker))
  return pids.filter((_, index) => flags[index]).map(Number)
}

/**
 * Starts the portal's API, without the app and the demo, which are tested separately.
 * @param before command line prefix, for instance to run as another user
 */
export function startPortal(settings: Record<string, string>, before: string[] = []): PortalProcess {
  const { PATH = '', HOME = '' } = process.env
  const [command = '', ...args] = [...before, process.execPath, ...START, 'serve', '--api-only']
  const child = spawn(command, args, {
    env: { PATH, HOME, PORT: '0', DEMO: 'off', LOG_LEVEL: 'error', PROCESSES: '1', MALLOC_ARENA_MAX: '2', ...settings },
    stdio: 'pipe',
  })
  let output = ''
  let errors = ''
  child.stdout.on('data', chunk => {
    output += chunk
  })
  child.stderr.on('data', chunk => {
    errors += chunk
  })
  const url = async (patienceMs = PATIENCE_MS) => {
    const deadline = Date.now() + patienceMs
    while (Date.now() < deadline && child.exitCode === null) {
      const [found] = /http:\/\/\S+/.exec(output) ?? []
      if (found) return found
      await sleep(50)
    }
    throw new Error(`not started: ${errors}`)
  }
  const startTimes = () => {
    const line = output.split('\n').find(text => text.includes('"msg":"started"'))
    return line ? JSON.parse(line) : null
  }
  const ended = once(child, 'exit').then(([code]) => code as number | null)
  const portal = { child, pid: child.pid ?? 0, errors: () => errors, output: () => output, startTimes, ended, url }
  started.push(portal)
  return portal
}

/** Stops all portals in an orderly manner; for afterEach. */
export async function stopPortals(): Promise<void> {
  const running = started.splice(0)
  for (const { child } of running) child.kill()
  await Promise.all(running.map(({ ended }) => ended))
}
