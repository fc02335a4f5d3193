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

/** The first process that was started with this argument; those that it started in turn may have it too. */
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

/** Sends a signal to a process and everything below it: SIGSTOP is what a phone does to an app that nobody looks at. */
export async function signalTree(pid: number, signal: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL'): Promise<void> {
  for (const one of await treeOf(pid)) {
    try {
      process.kill(one, signal)
    } catch {
      // Some come and go.
    }
  }
}

/** Ends a program that we started, unless it has ended by itself. */
export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill()
  await ended
}
