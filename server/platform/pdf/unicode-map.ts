import { createRequire } from 'node:module'

type Reference = { end(content: string): void }
type EmbeddedFont = {
  document: { ref(): Reference }
  unicode: number[][]
  toUnicodeCmap(): Reference
  layoutRun(text: string, features?: Record<string, boolean>): unknown
}
const require = createRequire(createRequire(import.meta.url).resolve('pdfmake'))
const Kit: new () => { font(source: string): { _font: EmbeddedFont } } = require('pdfkit')

/** Maximum number of entries in a block of a CMap (Adobe Technical Note 5014). */
const MAX_ENTRIES = 100

const toHex = (number: number) => number.toString(16).padStart(4, '0')
const toUtf16 = (text: string) => Array.from({ length: text.length }, (_, index) => toHex(text.charCodeAt(index)))

/** Renders the CMap that maps a font's glyphs to characters. @param unicode code points by glyph */
function renderUnicodeMap(unicode: readonly number[][]): string {
  const entries = unicode.map(
    (points, glyph) => `<${toHex(glyph)}> <${toUtf16(String.fromCodePoint(...points)).join('')}>`,
  )
  const blocks: string[] = []
  for (let start = 0; start < entries.length; start += MAX_ENTRIES) {
    const block = entries.slice(start, start + MAX_ENTRIES)
    blocks.push(`${block.length} beginbfchar`, ...block, 'endbfchar')
  }
  return [
    '/CIDInit /ProcSet findresource begin',
    '12 dict begin',
    'begincmap',
    '/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def',
    '/CMapName /Adobe-Identity-UCS def',
    '/CMapType 2 def',
    '1 begincodespacerange',
    '<0000> <ffff>',
    'endcodespacerange',
    ...blocks,
    'endcmap',
    'CMapName currentdict /CMap defineresource pop',
    'end',
    'end',
  ].join('\n')
}

/**
 * Makes the text of PDF files survive Ghostscript, with which archives convert them. It replaces pdfkit's table of
 * characters, a range with an array (`beginbfrange`), by one entry per glyph, because Ghostscript reads only the low byte
 * of such an array: an archived invoice would say `¬` for `€` and `Aukasz` for `Łukasz`. Ligatures, whose letters it loses,
 * are not set; here and not by `fontFeatures`, with which pdfkit lays out every word anew.
 */
export function installUnicodeMap(): void {
  const { _font: font } = new Kit().font(require.resolve('pdfmake/fonts/Roboto/Roboto-Regular.ttf'))
  const prototype: EmbeddedFont = Object.getPrototypeOf(font)
  const { layoutRun } = prototype
  prototype.layoutRun = function (text, features) {
    return layoutRun.call(this, text, { liga: false, ...features })
  }
  prototype.toUnicodeCmap = function () {
    const reference = this.document.ref()
    reference.end(renderUnicodeMap(this.unicode))
    return reference
  }
}
