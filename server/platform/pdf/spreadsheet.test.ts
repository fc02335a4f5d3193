import { expect, test } from 'vitest'
import { withParts } from '#server/platform/files/xlsx-parts.ts'
import { renderSpreadsheet } from './spreadsheet.ts'

test('each style names its number format, and own formats have numbers that are not reserved', async () => {
  const rows = [
    ['day', 'moment', 'time', 'amount', 'number'],
    ['2026-08-03', '2026-08-03 17:30', '17:30', '12.50', '1001'],
  ]
  const content = Buffer.from(await renderSpreadsheet([{ name: 'list', rows }]))
  const styles = (await withParts(content, read => read('xl/styles.xml'))) ?? ''
  const formats = [...styles.matchAll(/<numFmt numFmtId="(\d+)"/g)].map(([, id]) => Number(id))
  const used = [...styles.matchAll(/<xf ([^>]*)>/g)].map(([, text = '']) => Number(/numFmtId="(\d+)"/.exec(text)?.[1]))
  expect(formats).toEqual([164, 165, 166, 167])
  expect(used).toEqual([0, 0, ...formats])
})
