import { createRequire } from 'node:module'
import { toPrintable } from './printable.ts'
import { PAGE_COUNT_PLACEHOLDER, PAGE_NUMBER_PLACEHOLDER, type PdfDocument } from './printer.ts'
import { installTagging } from './tagging.ts'
import { installUnicodeMap } from './unicode-map.ts'

type Pdfmake = {
  setFonts(fonts: unknown): void
  setTableLayouts(layouts: Record<string, unknown>): void
  setUrlAccessPolicy(isAllowed: (url: string) => boolean): void
  setLocalAccessPolicy(isAllowed: (path: string) => boolean): void
  createPdf(definition: object): { getBuffer(): Promise<Uint8Array> }
}

// Loaded without its published types, because these would add the browser's types to the whole server.
const require = createRequire(import.meta.url)
const pdfmake: Pdfmake = require('pdfmake')
const isInPackage = (path: string) => path.startsWith(require.resolve('pdfmake/package.json').slice(0, -12))

// Roboto covers all European languages; the standard PDF fonts lack letters such as Č and ş. Other letters are
// transliterated: fonts for all scripts weigh tens of megabytes, pdfkit sets right-to-left text in the wrong order, and
// the portal requests names in Latin letters.
pdfmake.setFonts(require('pdfmake/fonts/Roboto.js'))
pdfmake.setUrlAccessPolicy(() => false)
pdfmake.setLocalAccessPolicy(isInPackage)

installTagging()
installUnicodeMap()
pdfmake.setTableLayouts({
  grid: {
    hLineWidth: () => 0.4,
    vLineWidth: () => 0.4,
    hLineColor: () => '#999999',
    vLineColor: () => '#999999',
    fillColor: (row: number) => (row === 0 ? '#e8edf2' : null),
    paddingLeft: () => 2,
    paddingRight: () => 2,
    paddingTop: () => 4,
    paddingBottom: () => 1,
  },
})

/**
 * Renders a tagged PDF (PDF/UA-1). Texts are paragraphs unless `role` specifies otherwise, tables have header cells,
 * and footers and lines are artifacts. Rendering occupies the CPU for tens of milliseconds, so printer.ts runs it in a
 * worker thread.
 */
export function renderPdf(document: PdfDocument): Promise<Uint8Array> {
  const written = JSON.stringify(toPrintable(document.footer))
  const footer = (page: number, pages: number): object =>
    JSON.parse(
      written.replaceAll(PAGE_NUMBER_PLACEHOLDER, String(page)).replaceAll(PAGE_COUNT_PLACEHOLDER, String(pages)),
    )
  const tagged = { version: '1.7', subset: 'PDF/UA', tagged: true, displayTitle: true }
  const content = toPrintable(document.content)
  return pdfmake.createPdf({ ...document, ...tagged, content, footer }).getBuffer()
}
