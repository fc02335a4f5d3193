import { type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { startFile } from './portal.ts'

/** Starts a command of the portal as an operator would, with settings in addition to those of the tests. */
export const startCommand = (
  words: string[],
  settings: Record<string, string>,
): ChildProcessByStdio<null, Readable, Readable> =>
  spawn(process.execPath, [startFile, ...words], {
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })

/** Runs a command until it ends. Returns its exit status (null if it was killed) and its whole output. */
export async function runCommand(words: string[], settings: Record<string, string>) {
  const child = startCommand(words, settings)
  const ended = new Promise<number | null>(resolve => child.on('close', resolve))
  const [stdout, stderr, status] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  return { status, stdout, stderr }
}
