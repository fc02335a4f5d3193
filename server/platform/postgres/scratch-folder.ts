import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { errorFactsOf } from '#server/platform/process/error-facts.ts'

const prefix = 'postgres.new-'

/** Creates an empty folder next to the cluster that only this user can access (0700). */
export const makeScratchFolder = (parent: string): Promise<string> => mkdtemp(join(parent, `${prefix}${process.pid}-`))

/**
 * Removes scratch folders of processes that have ended. A folder that a child process still uses is removed at a later
 * start.
 */
export async function removeAbandonedScratch(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const pid = name.startsWith(prefix) ? Number.parseInt(name.slice(prefix.length), 10) : 0
    // Removing the folder fails if a child process is still writing to it.
    if (pid > 0 && !isProcessAlive(pid)) await rm(join(parent, name), { recursive: true, force: true }).catch(() => {})
  }
}

/** Whether a process with this id exists, regardless of the user that runs it. */
export const isProcessAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return errorFactsOf(error).code === 'EPERM'
  }
}
