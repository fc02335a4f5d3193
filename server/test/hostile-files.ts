import { buffer } from 'node:stream/consumers'
import { crc32 } from 'node:zlib'
import sharp from 'sharp'
import { ZipFile } from 'yazl'
import { buildWorkbook } from './workbook.ts'

const inSheet = (cells: string) => ({ a: cells })
const shared = (text: string) => ({ 'xl/sharedStrings.xml': `<sst><si><t>${text}</t></si></sst>` })
const SHARED_CELL = '<row><c t="s"><v>0</v></c></row>'

/**
 * Small files that would take seconds or gigabytes if there were no limits, with the German and English rejection.
 * Files without one can be read.
 */
export const HOSTILE_WORKBOOKS: Record<string, { build: () => Promise<Buffer>; de?: RegExp; en?: RegExp }> = {
  'a text of 4 MB referenced by 5,000 cells': {
    build: () => buildWorkbook({ sheets: inSheet(SHARED_CELL.repeat(5_000)), more: shared('x'.repeat(4 << 20)) }),
    de: /A1 hat 4194304 Zeichen, höchstens 32767 sind möglich/,
    en: /A1 has 4194304 characters, at most 32767 fit/,
  },
  'a text of 30 KB referenced by 5,000 cells': {
    build: () => buildWorkbook({ sheets: inSheet(SHARED_CELL.repeat(5_000)), more: shared('x'.repeat(30_000)) }),
    de: /Blatt a: enthält mehr als 10 MB Text/,
    en: /sheet a: holds more than 10 MB of text/,
  },
  'a number format of 80,000 characters': {
    build: () => buildWorkbook({ sheets: inSheet('<row><c s="1"><v>1</v></c></row>'), formats: ['[$'.repeat(40_000)] }),
    de: /Zahlenformat mit 80000 Zeichen, höchstens 255/,
    en: /number format of 80000 characters, at most 255/,
  },
  'a tag with 200,000 attributes': {
    build: () => {
      const attributes = Array.from({ length: 200_000 }, (_, index) => ` a${index}="&amp;"`).join('')
      return buildWorkbook({ sheets: inSheet(`<row${attributes}><c${attributes}><v>1</v></c></row>`) })
    },
  },
  '2,000,000 rows': {
    build: () => buildWorkbook({ sheets: inSheet('<row/>'.repeat(2_000_000)) }),
    de: /Blatt a: hat mehr als 100000 Zeilen/,
    en: /sheet a: has more than 100000 rows/,
  },
  'one sheet listed 100 times': {
    build: () => {
      const sheets = '<sheet name="a" r:id="r0"/>'.repeat(100)
      return buildWorkbook({
        sheets: inSheet('<row><c><v>1</v></c></row>'.repeat(20_000)),
        more: { 'xl/workbook.xml': `<workbook xmlns:r="r"><sheets>${sheets}</sheets></workbook>` },
      })
    },
    de: /hat mehr als 100000 Zeilen/,
    en: /has more than 100000 rows/,
  },
  'a zip bomb': {
    build: () => buildWorkbook({ sheets: inSheet(''), more: { 'xl/sharedStrings.xml': ' '.repeat(70 << 20) } }),
    de: /ist entpackt zu groß: höchstens 64 MB/,
    en: /is too large once it is unpacked: at most 64 MB/,
  },
}

/** Builds a zip of some hundred kilobytes whose unpacked size exceeds the limit for imports. */
export async function buildZipBomb(): Promise<Buffer> {
  const zip = new ZipFile()
  const zeros = Buffer.alloc(60 << 20)
  for (let count = 0; count < 9; count += 1) zip.addBuffer(zeros, `files/${count}.jpg`)
  zip.end()
  return buffer(zip.outputStream)
}

/** Builds a PNG of some hundred bytes whose header declares 16,000 × 16,000 pixels. */
export async function buildGiantPng(): Promise<Buffer> {
  const png = await sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
    .png()
    .toBuffer()
  // Layout: signature (8), header length (4), header type (4), width, height, 5 more bytes, checksum of the header
  // without its length.
  png.writeUInt32BE(16_000, 16)
  png.writeUInt32BE(16_000, 20)
  png.writeUInt32BE(crc32(png.subarray(12, 29)), 29)
  return png
}
