import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ZipFile } from 'yazl'
import { UnreadableFile } from './problems.ts'
import { unzipFolder } from './unzip.ts'

const names = fc.uniqueArray(
  fc.constantFrom(
    'courses.csv',
    'Kurse.pdf',
    'files/a.pdf',
    'files/\u00e4.pdf',
    'files/a\u0308.pdf',
    'files/unter/b.pdf',
    'alt/courses.csv',
    '__MACOSX/._courses.csv',
    'files/.DS_Store',
    'Thumbs.db',
    '~$rooms.xlsx',
  ),
  { maxLength: 6 },
)
const isMetadata = (name: string) => /__MACOSX|\.DS_Store|Thumbs|~\$/.test(name)

test('each file of a zip is extracted, or the zip is rejected with its name', async () => {
  await fc.assert(
    fc.asyncProperty(names, fc.constantFrom('', 'Programm/'), async (all, root) => {
      const zip = new ZipFile()
      for (const name of all) zip.addBuffer(Buffer.from('x'), root + name)
      zip.end()
      const temporary = await mkdtemp(join(tmpdir(), 'unzip-'))
      const folder = join(temporary, 'folder')
      await mkdir(folder)
      await writeFile(join(temporary, 'a.zip'), await buffer(zip.outputStream))
      const outcome = await unzipFolder(join(temporary, 'a.zip'), folder).catch((error: unknown) => error)
      const wanted = all.filter(name => !isMetadata(name))
      if (outcome instanceof UnreadableFile)
        expect(
          wanted.some(name => outcome.message.includes(name.normalize('NFC')) || outcome.message.includes(name)),
        ).toBe(true)
      else {
        expect(outcome).toBeUndefined()
        const entries = await readdir(folder, { recursive: true, withFileTypes: true })
        const files = entries.flatMap(one =>
          one.isFile() ? join(one.parentPath, one.name).slice(folder.length + 1) : [],
        )
        // A folder that contains all files is not part of their names.
        const isPlain = wanted.every(name => files.includes(name))
        expect(isPlain || wanted.every(name => files.includes(name.replace(/^alt\//, '')))).toBe(true)
        expect(files).toHaveLength(wanted.length)
      }
      await rm(temporary, { recursive: true })
    }),
    { numRuns: 150 },
  )
})
