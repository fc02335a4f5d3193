import { execFile, execFileSync } from 'node:child_process'
import { chmod, mkdtemp, open, rm, rmdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Separate file system that can be filled completely. */
export type TestDisk = {
  folder: string
  /** Allocates all bytes that are free at the moment. Bytes that are freed later are not allocated. */
  fill(): Promise<void>
  free(): Promise<void>
  remove(): Promise<void>
}

/** Sizes of the parts to write, in decreasing order, so that even the last byte is allocated. */
const PARTS = [1 << 20, 1 << 12, 1]

/** @returns null if this process may not mount file systems */
export async function startTestDisk(megabytes: number): Promise<TestDisk | null> {
  const folder = await mkdtemp(join(tmpdir(), 'portal-disk-'))
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'none', folder])
  } catch {
    await rmdir(folder)
    return null
  }
  // Unmounts the file system even if the process ends early.
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
