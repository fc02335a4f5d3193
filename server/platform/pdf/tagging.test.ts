import { expect, test } from 'vitest'
import { readPdfObjects, readPdfPages } from '#server/test/pdf.ts'
import { renderPdf } from './document.ts'
import { PAGE_NUMBER_PLACEHOLDER, type PdfDocument } from './printer.ts'

const URL = 'https://sport.example/certificates#abc'
const rows = Array.from({ length: 90 }, (_, index) => [`Zeile ${index}`, { text: String(index), alignment: 'right' }])
const DOCUMENT: PdfDocument = {
  info: { title: 'Bescheinigung für R & B <x>' },
  language: 'de',
  defaultStyle: { font: 'Roboto', fontSize: 10 },
  footer: { columns: [{ text: 'Fuß' }, { text: `Seite ${PAGE_NUMBER_PLACEHOLDER}` }] },
  content: [
    { text: 'Bescheinigung', role: 'H1' },
    { layout: 'noBorders', table: { widths: [100, '*'], body: [['Name', 'Kim Öztürk']] } },
    { layout: 'grid', table: { headerRows: 1, widths: ['*', 80], body: [['Leistung', 'Betrag'], ...rows] } },
    {
      columns: [
        { qr: URL, fit: 100, width: 120, alt: 'QR-Code zum Prüfen' },
        { text: [{ text: 'Prüfen unter ' }, { text: 'sport.example', link: URL, decoration: 'underline' }] },
      ],
    },
  ],
}

const pdf = await renderPdf(DOCUMENT)
const objects = readPdfObjects(pdf)
const all = [...objects.values()].map(({ dictionary }) => dictionary)

type Tree = [type: string, ...children: Tree[]]
/** Structure below an element, without its content. */
function readTree(reference: string): Tree {
  const dictionary = objects.get(reference)?.dictionary ?? ''
  const kids = /\/K \[(.*?)\]\n/s.exec(dictionary)?.[1] ?? ''
  const children = [...kids.replace(/<<.*?>>/gs, '').matchAll(/(\d+) 0 R/g)].map(([, number = '']) => readTree(number))
  return [/\/S \/(\w+)/.exec(dictionary)?.[1] ?? '', ...children]
}

test('the structure follows the document: heading, tables with header cells, figure, link', () => {
  const root = all.find(dictionary => dictionary.includes('/Type /StructTreeRoot')) ?? ''
  const [, document = ''] = /\/K \[(\d+) 0 R\]/.exec(root) ?? []
  const row = (...cells: string[]): Tree => ['TR', ...cells.map((cell): Tree => [cell])]
  expect(readTree(document)).toEqual([
    'Document',
    ['H1'],
    ['Table', row('TH', 'TD')],
    ['Table', row('TH', 'TH'), ...rows.map(() => row('TD', 'TD'))],
    ['Figure'],
    ['P', ['Link']],
  ])
  expect(all.flatMap(dictionary => /\/Scope \/\w+/.exec(dictionary)?.[0] ?? [])).toEqual(
    expect.arrayContaining(['/Scope /Row', '/Scope /Column', '/Scope /Column']),
  )
  expect(all.filter(dictionary => dictionary.includes('/S /Figure'))).toEqual([
    expect.stringMatching(/\/Alt .*\/BBox/s),
  ])
  const annotation = all.find(dictionary => dictionary.includes('/Subtype /Link'))
  expect(annotation).toMatch(/\/Contents .*\/StructParent \d+/s)
})

test('everything drawn is structured content or an artifact, and table headers are read once', () => {
  const contents = [...objects.values()].filter(({ stream }) => / TJ$/m.test(stream)).map(({ stream }) => stream)
  expect(contents.length).toBe(readPdfPages(pdf).length)
  for (const content of contents) {
    let marked = 0
    let saved = 0
    for (const line of content.split('\n')) {
      if (/ B[DM]C$/.test(line)) marked += 1
      if (line === 'EMC') marked -= 1
      if (line === 'q') saved += 1
      if (line === 'Q') saved -= 1
      expect(marked === 0 || marked === 1).toBe(true)
      if (/ TJ$|^(?:f|S|B)$/.test(line)) expect(marked, line).toBe(1)
    }
    expect([marked, saved]).toEqual([0, 0])
  }
  const heads = contents.map(content => content.match(/\/TH <</g)?.length ?? 0)
  expect(heads).toEqual([3, ...contents.slice(1).map(() => 0)])
})

test('the file declares its language, title and PDF/UA conformance, and embeds its fonts', () => {
  const catalog = all.find(dictionary => dictionary.includes('/Type /Catalog')) ?? ''
  expect(catalog).toContain('/Lang (de)')
  for (const part of ['/Marked true', '/DisplayDocTitle true'])
    expect(all.some(dictionary => dictionary.includes(part))).toBe(true)
  const text = Buffer.from(pdf).toString('utf8')
  expect(text).toContain('<pdfuaid:part>1</pdfuaid:part>')
  expect(text).toContain('Bescheinigung für R &amp; B &lt;x&gt;')
  const pages = all.filter(dictionary => /\/Type \/Page\n/.test(dictionary))
  expect(pages.filter(page => !page.includes('/Tabs /S'))).toEqual([])
  const fonts = all.filter(dictionary => dictionary.includes('/Type /FontDescriptor'))
  expect(fonts.filter(font => !font.includes('/FontFile2'))).toEqual([])
})

test('lines of a text are separated by a space, so that screen readers do not join their words', async () => {
  const lines = { text: ['Waffelweg 1\n01067', { text: ' Dresden\nx' }] }
  const drawn = readPdfObjects(await renderPdf({ ...DOCUMENT, footer: {}, content: [lines] }))
  const contents = [...drawn.values()].filter(({ stream }) => / TJ$/m.test(stream)).map(({ stream }) => stream)
  const characters = [...contents.join('').matchAll(/<([0-9a-f]+)> /g)].flatMap(
    ([, codes = '']) => codes.match(/.{4}/g) ?? [],
  )
  expect(characters.length).toBe('Waffelweg 1 01067 Dresden x'.length)
  expect(characters[11]).toBe(characters[9])
})

test('letters that the font lacks are printed in Latin letters, not as boxes', async () => {
  const texts = ['Kim Öztürk, Ирина Ελένη', '17:00 → 18:00 ✓', 'محمد', '李小龙', '\u{1F3CA} Schwimmen', '12\u202F345 €']
  const [page] = readPdfPages(await renderPdf({ ...DOCUMENT, content: texts.map(text => ({ text })) }))
  for (const printed of ['Kim Öztürk, Ирина Ελένη', '17:00 > 18:00', 'mhmd', 'LiXiaoLong', 'Schwimmen', '12 345 €'])
    expect(page).toContain(printed)
  expect(page).not.toContain('\0')
})

test('programs that convert the file keep each letter: one character per glyph, no ligatures, composed umlauts', async () => {
  const text = 'Fitness im Schiff: 12,50 € – Łukasz Mu\u0308ller'
  const written = await renderPdf({ ...DOCUMENT, footer: {}, content: [{ text }] })
  expect(readPdfPages(written)).toEqual([text.normalize('NFC')])
  const tables = [...readPdfObjects(written).values()].filter(({ stream }) => stream.includes('begincmap'))
  expect(tables.length).toBeGreaterThan(0)
  for (const { stream } of tables) {
    expect(stream).not.toContain('beginbfrange')
    expect(stream.match(/^<[0-9a-f]{4}> <[0-9a-f]{8,}>$/m)).toBeNull()
  }
})
