import { createRequire } from 'node:module'
import anyAscii from 'any-ascii'
import { PAGE_COUNT_PLACEHOLDER, PAGE_NUMBER_PLACEHOLDER } from './printer.ts'

type KitDocument = { font(source: string): { _font: { font: { hasGlyphForCodePoint(point: number): boolean } } } }
const require = createRequire(createRequire(import.meta.url).resolve('pdfmake'))
const Kit: new () => KitDocument = require('pdfkit')
const { font } = new Kit().font(require.resolve('pdfmake/fonts/Roboto/Roboto-Regular.ttf'))._font
/** Values that are read by programs rather than printed. */
const UNPRINTED = ['qr', 'alt', 'link', 'image']

const PLACEHOLDERS = [PAGE_NUMBER_PLACEHOLDER, PAGE_COUNT_PLACEHOLDER]
const isPrintable = (letter: string) =>
  PLACEHOLDERS.includes(letter) || font.hasGlyphForCodePoint(letter.codePointAt(0) ?? 0)

/**
 * Replaces what the font lacks, which would be printed as a box, by its ASCII transliteration. Letters are composed
 * before, because the font has `ü`, but not the combining mark of `u` and U+0308.
 */
export const toPrintableText = (text: string): string =>
  text
    .normalize('NFC')
    .replace(/\P{ASCII}/gu, letter =>
      isPrintable(letter) ? letter : anyAscii(letter) || (/\p{M}|\p{Cf}/u.test(letter) ? '' : '?'),
    )

/** Applies `toPrintableText` to all texts of a document definition. */
export function toPrintable<Value>(value: Value): Value
export function toPrintable(value: unknown): unknown {
  if (typeof value === 'string') return toPrintableText(value)
  if (Array.isArray(value)) return value.map(toPrintable)
  if (value === null || typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, UNPRINTED.includes(key) ? part : toPrintable(part)]),
  )
}
