// @module-tag extended
import { buffer } from 'node:stream/consumers'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fromBufferPromise } from 'yauzl'
import { ZipFile } from 'yazl'
import { renderSpreadsheet } from '#server/platform/pdf/spreadsheet.ts'
import { measureOwnBlock } from '#server/test/event-loop.ts'
import { createTestFolder } from '#server/test/import-folder.ts'
import { readTable } from './file-reader.ts'
import { UnreadableFile } from './problems.ts'

const MAX_BLOCK_MS = 200
const MAX_GROWTH_MB = 512

const rows = Array.from({ length: 40 }, (_, row) => [`N${row}`, '0042', '2026-11-24', '18:00', 'Müller & "Ida"', row])
const workbook = Buffer.from(await renderSpreadsheet([{ name: 'HR', rows: [['a', 'b', 'c', 'd', 'e', 'f'], ...rows] }]))

type Part = { name: string; text: string }
async function partsOf(content: Buffer): Promise<Part[]> {
  const zip = await fromBufferPromise(content, { lazyEntries: true })
  const parts: Part[] = []
  for await (const entry of zip.eachEntry()) {
    const text = await buffer(await zip.openReadStreamPromise(entry))
    parts.push({ name: entry.fileName, text: text.toString() })
  }
  return parts
}
const zipOf = (parts: readonly Part[]): Promise<Buffer> => {
  const zip = new ZipFile()
  for (const { name, text } of parts) zip.addBuffer(Buffer.from(text), name)
  zip.end()
  return buffer(zip.outputStream)
}
const original = await partsOf(workbook)

const at = fc.nat({ max: 9_999 }).map(share => share / 10_000)
const snippet = fc.constantFrom(
  '<row r="-1">',
  '<row r="1e9">',
  '<c r="A0">',
  '<c r="XFD1048576" t="s">',
  '<v>1e308</v>',
  '<v>-1</v>',
  '</c>',
  '</row>',
  '<![CDATA[',
  ']]>',
  '<!--',
  '-->',
  '&#0;',
  '&#xD800;',
  '&a;',
  '"',
  '<',
  '>',
  '_x0000_',
  '<c t="e"><v>x</v></c>',
  `formatCode="0.${'0'.repeat(150)}"`,
  `formatCode="${'[$'.repeat(60)}"`,
  't="s"',
  'r="B7"',
  's="99999"',
  `<c><v>${'9'.repeat(400)}</v></c>`,
  `<c t="inlineStr"><is><t>${'x'.repeat(9_999)}</t></is></c>`,
)
const change = fc.record({
  part: fc.nat(original.length - 1),
  at,
  kind: fc.constantFrom('insert', 'repeat', 'cut', 'drop'),
  snippet,
  length: fc.nat(400),
  times: fc.constantFrom(2, 50, 3_000),
})
type Change = typeof change extends fc.Arbitrary<infer One> ? One : never

function applyChange(parts: readonly Part[], { part, at, kind, snippet, length, times }: Change): Part[] {
  return parts.flatMap((one, index) => {
    if (index !== part) return [one]
    if (kind === 'drop') return []
    const start = Math.floor(at * one.text.length)
    const [before, middle, after] = [
      one.text.slice(0, start),
      one.text.slice(start, start + length),
      one.text.slice(start + length),
    ]
    if (kind === 'cut') return [{ ...one, text: before + after }]
    const added = kind === 'insert' ? snippet.repeat(Math.min(times, 50)) : middle.repeat(times)
    return [{ ...one, text: before + added + middle + after }]
  })
}

/** Bytes of the zip structure itself. */
const damage = fc.array(fc.record({ at, byte: fc.nat(255) }), { maxLength: 3 })

/** Expects either rows or a rejection in both languages. */
async function read(content: Buffer): Promise<void> {
  try {
    const table = JSON.parse((await readTable('test', { name: 'a.xlsx', content })).toString())
    expect(table).toEqual({
      sheet: expect.any(String),
      rows: expect.any(Array),
      hiddenRows: expect.any(Array),
      otherSheets: expect.any(Array),
    })
    for (const row of table.rows) for (const cell of row) expect(cell).toBeTypeOf('string')
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error
    expect(error.said.in('de').length * error.said.in('en').length).toBeGreaterThan(0)
  }
}

test('a modified or damaged workbook is either read or rejected with a reason, and never blocks', async () => {
  const seed = Date.now()
  console.info(`seed ${seed}`)
  await read(workbook)
  const before = process.memoryUsage().rss
  await fc.assert(
    fc.asyncProperty(fc.array(change, { maxLength: 4 }), damage, async (changes, damages) => {
      const content = await zipOf(changes.reduce<Part[]>(applyChange, original))
      for (const { at, byte } of damages) content[Math.floor(at * content.length)] = byte
      expect(await measureOwnBlock(() => read(content), MAX_BLOCK_MS)).toBeLessThanOrEqual(MAX_BLOCK_MS)
    }),
    { seed, numRuns: 60 },
  )
  expect((process.memoryUsage().rss - before) / 2 ** 20).toBeLessThan(MAX_GROWTH_MB)
}, 120_000)

test('a damaged zip of a programme is either extracted or rejected, and never blocks', async () => {
  const seed = Date.now()
  console.info(`seed ${seed}`)
  const names = fc.constantFrom(
    'courses.csv',
    'files/a.jpg',
    '../a.csv',
    '/a.csv',
    'a/b/c.csv',
    'files/',
    'Ä.csv',
    '.x',
    'a\\b',
  )
  const parts = fc.array(fc.record({ name: names, text: fc.string({ maxLength: 500 }) }), { maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(parts, damage, async (parts, damages) => {
      const zip = new ZipFile()
      for (const { name, text } of parts) {
        // The zip writer accepts no names outside the folder, so they are set in its bytes.
        const safe = name.replace(/^[./\\]+/, found => 'x'.repeat(found.length)).replaceAll('\\', 'y')
        if (safe.endsWith('/')) zip.addEmptyDirectory(safe)
        else zip.addBuffer(Buffer.from(text), safe)
      }
      zip.end()
      let content = await buffer(zip.outputStream)
      content = Buffer.from(content.toString('latin1').replaceAll('xx/', '../').replaceAll('ayb', 'a\\b'), 'latin1')
      for (const { at, byte } of damages) content[Math.floor(at * content.length)] = byte
      const folder = await createTestFolder()
      try {
        const unpack = () =>
          folder.unzip(content).catch(error => {
            if (!(error instanceof UnreadableFile)) throw error
            expect(error.said.in('de')).not.toBe('')
          })
        expect(await measureOwnBlock(unpack, MAX_BLOCK_MS)).toBeLessThanOrEqual(MAX_BLOCK_MS)
      } finally {
        await folder.remove()
      }
    }),
    { seed, numRuns: 60 },
  )
}, 120_000)
