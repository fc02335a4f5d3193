import { spawn, spawnSync } from 'node:child_process'
import { readdir, readFile, readlink } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { isTestFolder, removeTestFolder } from './folder.ts'

/** Time in which processes that receive SIGTERM can stop their databases. */
const PATIENCE_MS = 3_000

const ignore = () => ''

/** Processes whose command line, environment or working directory names the folder. Linux only. */
async function findProcessesOf(folder: string): Promise<number[]> {
  const pids = (await readdir('/proc').catch(() => [])).map(Number).filter(pid => pid > 0 && pid !== process.pid)
  const uses = async (pid: number) => {
    const [line, environment, cwd, status] = await Promise.all([
      readFile(`/proc/${pid}/cmdline`, 'utf8').catch(ignore),
      readFile(`/proc/${pid}/environ`, 'utf8').catch(ignore),
      readlink(`/proc/${pid}/cwd`).catch(ignore),
      readFile(`/proc/${pid}/stat`, 'utf8').catch(ignore),
    ])
    return !status.includes(') Z') && [line, environment, cwd].some(text => text.includes(folder))
  }
  const isUsing = await Promise.all(pids.map(uses))
  return pids.filter((_, index) => isUsing[index])
}

async function signalProcessesOf(folder: string, signal: 'SIGTERM' | 'SIGKILL'): Promise<number> {
  const pids = await findProcessesOf(folder)
  for (const pid of pids) {
    try {
      process.kill(pid, signal)
    } catch {
      // It has ended since.
    }
  }
  return pids.length
}

/**
 * Ends all processes that a test run has left behind, and removes its folder with everything mounted below it.
 * @throws Error if this is not such a folder: its name is searched for in all processes of the machine
 */
export async function cleanUpAfterTests(folder: string): Promise<void> {
  if (!isTestFolder(folder)) throw new Error(`${folder} is not a folder of a test run`)
  const deadline = Date.now() + PATIENCE_MS
  let running = await signalProcessesOf(folder, 'SIGTERM')
  while (running > 0) {
    await sleep(100)
    running =
      Date.now() < deadline ? (await findProcessesOf(folder)).length : await signalProcessesOf(folder, 'SIGKILL')
  }
  const mounts = await readFile('/proc/mounts', 'utf8').catch(ignore)
  for (const [, path = ''] of mounts.split('\n').map(line => line.split(' ')))
    if (path.startsWith(`${folder}/`)) spawnSync('umount', ['--lazy', path])
  await removeTestFolder(folder)
}

/**
 * Starts a process that cleans up after this one, however it ends: on Ctrl-C, if it is killed, or regularly.
 * @param folder the folder of the run; processes that use it are ended
 */
export function cleanUpAfterThisProcess(folder: string): void {
  const watch = spawn(process.execPath, [fileURLToPath(import.meta.url), Buffer.from(folder).toString('hex')], {
    // Not in the process group that the terminal interrupts.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  watch.unref()
  const { stdin } = watch
  if (stdin && 'unref' in stdin && typeof stdin.unref === 'function') stdin.unref()
}

// The end of the pipe is closed with the process that has opened it.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.stdin.resume().once('close', () => cleanUpAfterTests(Buffer.from(process.argv[2] ?? '', 'hex').toString()))
}
