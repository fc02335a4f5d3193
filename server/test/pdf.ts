import { inflateSync } from 'node:zlib'

type Body = { dictionary: string; stream: string }

/** Reads the objects of a PDF by number, with decompressed streams. */
export function readPdfObjects(pdf: Uint8Array): Map<string, Body> {
  const source = Buffer.from(pdf).toString('latin1')
  return new Map(
    [...source.matchAll(/(\d+) 0 obj\n(.*?)\nendobj/gs)].map(([, number = '', body = '']) => {
      const [dictionary = '', stream] = body.split(/\nstream\n/)
      const packed = Buffer.from(stream?.slice(0, stream.lastIndexOf('\nendstream')) ?? '', 'latin1')
      const content = dictionary.includes('/FlateDecode') ? inflateSync(packed) : packed
      return [number, { dictionary, stream: content.toString('latin1') }]
    }),
  )
}

const decodeUtf16 = (hex: string) => Buffer.from(hex, 'hex').swap16().toString('utf16le')

/** Reads a font's ToUnicode table, which maps glyphs to characters and is required for searching and copying names. */
function readGlyphs(table: string): Map<number, string> {
  const entries = [...table.matchAll(/^<([0-9a-f]{4})> <((?:[0-9a-f]{4})*)>$/gm)]
  return new Map(entries.map(([, glyph = '', hex = '']) => [Number.parseInt(glyph, 16), decodeUtf16(hex)]))
}

/**
 * Reads the text of each page of a PDF created by pdfkit, in drawing order, with a space between separately drawn
 * texts.
 * @throws Error if a glyph maps to no character
 */
export function readPdfPages(pdf: Uint8Array): string[] {
  const objects = readPdfObjects(pdf)
  const objectOf = (dictionary: string, key: string) =>
    objects.get(new RegExp(`/${key} (\\d+) 0 R`).exec(dictionary)?.[1] ?? '') ?? { dictionary: '', stream: '' }
  const pages = [...objects.values()].filter(({ dictionary }) => /\/Type \/Page\n/.test(dictionary))
  return pages.map(({ dictionary }) => {
    const resources = objectOf(dictionary, 'Resources').dictionary
    const fonts = new Map(
      [...resources.matchAll(/\/(F\d+) \d+ 0 R/g)].map(([, name = '']) => [
        name,
        readGlyphs(objectOf(objectOf(resources, name).dictionary, 'ToUnicode').stream),
      ]),
    )
    let glyphsOfFont = new Map<number, string>()
    const texts: string[] = []
    for (const [, font, drawn] of objectOf(dictionary, 'Contents').stream.matchAll(/\/(F\d+) [\d.]+ Tf|\[(.*)\] TJ/g)) {
      if (font !== undefined) glyphsOfFont = fonts.get(font) ?? new Map()
      const codes = [...(drawn ?? '').matchAll(/<([0-9a-f]+)>/g)].flatMap(([, hex = '']) => hex.match(/.{4}/g) ?? [])
      const characters = codes.map(code => glyphsOfFont.get(Number.parseInt(code, 16)))
      if (characters.includes(undefined)) throw new Error(`a glyph after "${texts.at(-1)}" stands for nothing`)
      if (characters.length > 0) texts.push(characters.join(''))
    }
    return texts.join(' ').replace(/\s+/g, ' ')
  })
}
