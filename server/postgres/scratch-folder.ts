import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { factsOf } from '#server/error-facts.ts'

const prefix = 'postgres.new-'

/** An empty folder beside the cluster, for this process only (0700). */
export const makeScratchFolder = (parent: string): Promise<string> => mkdtemp(join(parent, `${prefix}${process.pid}-`))

/** Removes the scratch folders of processes that died; one in which a child of theirs still writes stays until the next start. */
export async function removeAbandonedScratch(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const pid = name.startsWith(prefix) ? Number.parseInt(name.slice(prefix.length), 10) : 0
    // A child still writes there.
    if (pid > 0 && !isAlive(pid)) await rm(join(parent, name), { recursive: true, force: true }).catch(() => {})
  }
}

/** Whether a process with this id exists, whoever's it is. */
export const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return factsOf(error).code === 'EPERM'
  }
}
