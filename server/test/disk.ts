import { execFile, execFileSync } from 'node:child_process'
import { chmod, mkdtemp, open, rm, rmdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** A disk of its own that can be filled to the brim. */
export type TestDisk = {
  folder: string
  /** Takes every byte that is free now, and those that become free until `free` is called stay so. */
  fill(): Promise<void>
  free(): Promise<void>
  remove(): Promise<void>
}

/** Parts from large to small, so that the last byte goes too. */
const PARTS = [1 << 20, 1 << 12, 1]

/** @returns null where this process may not mount one */
export async function startTestDisk(megabytes: number): Promise<TestDisk | null> {
  const folder = await mkdtemp(join(tmpdir(), 'portal-disk-'))
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'none', folder])
  } catch {
    await rmdir(folder)
    return null
  }
  // Whoever is ended on the way leaves no disk behind.
  const unmount = () => execFileSync('umount', ['--lazy', folder])
  process.once('exit', unmount)
  await chmod(folder, 0o711)
  const ballast = join(folder, 'ballast')
  return {
    folder,
    async fill() {
      const file = await open(ballast, 'a')
      for (const size of PARTS) {
        const part = Buffer.alloc(size)
        const takes = async () =>
          (
            await file.write(part).catch((error: NodeJS.ErrnoException) => {
              if (error.code === 'ENOSPC') return { bytesWritten: 0 }
              throw error
            })
          ).bytesWritten === size
        while (await takes());
      }
      await file.close()
    },
    free: () => rm(ballast, { force: true }),
    async remove() {
      process.off('exit', unmount)
      unmount()
      await rmdir(folder)
    },
  }
}
