import { type ChildProcess, execFile } from 'node:child_process'
import { once } from 'node:events'
import { promisify } from 'node:util'

type Process = { pid: number; parent: number; line: string }

async function listProcesses(): Promise<Process[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=', '-o', 'ppid=', '-o', 'args='], {
    maxBuffer: 16 * 1024 * 1024,
  })
  return [...stdout.matchAll(/^ *(\d+) +(\d+) (.*)$/gm)].map(([, pid, parent, line = '']) => ({
    pid: Number(pid),
    parent: Number(parent),
    line,
  }))
}

/** First process started with this argument; its children may have it, too. */
export async function processWith(argument: string): Promise<number> {
  const found = (await listProcesses()).filter(({ line }) => line.includes(argument))
  const first = found.find(({ parent }) => found.every(({ pid }) => pid !== parent))
  if (!first) throw new Error(`no process with ${argument}`)
  return first.pid
}

async function treeOf(pid: number): Promise<number[]> {
  const all = await listProcesses()
  const below = (root: number): number[] => [
    root,
    ...all.filter(({ parent }) => parent === root).flatMap(child => below(child.pid)),
  ]
  return below(pid)
}

/** Sends a signal to a process tree: SIGSTOP simulates an app frozen in the background. */
export async function signalTree(pid: number, signal: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL'): Promise<void> {
  for (const one of await treeOf(pid)) {
    try {
      process.kill(one, signal)
    } catch {
      // Processes may end meanwhile.
    }
  }
}

/** Ends a process started by the test, unless it has ended already. */
export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill()
  await ended
}
