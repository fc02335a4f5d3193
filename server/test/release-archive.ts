import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Packs a small release that consists of its version and what `write` adds.
 * @returns the archive in `folder`, next to its checksum
 */
export async function packReleaseArchive(
  folder: string,
  version: string,
  write: (at: string) => Promise<void> = async () => {},
): Promise<string> {
  const name = `portal-${version}`
  const made = join(folder, 'made', name)
  await mkdir(made, { recursive: true })
  await writeFile(join(made, 'package.json'), JSON.stringify({ version }))
  await write(made)
  const file = join(folder, `${name}.tar.gz`)
  execFileSync('tar', ['-czf', file, '-C', join(folder, 'made'), name])
  const sum = createHash('sha256')
    .update(await readFile(file))
    .digest('hex')
  await writeFile(`${file}.sha256`, `${sum}  ${name}.tar.gz\n`)
  return file
}
