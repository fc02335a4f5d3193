import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  boolean,
  date,
  dateTime,
  decimal,
  decimalInHundredths,
  email,
  emails,
  fileName,
  InvalidCell,
  integer,
  link,
  percentage,
  phone,
  time,
  webAddress,
} from './cell-parsers.ts'

const parsers = {
  boolean,
  date,
  dateTime,
  decimal,
  email,
  emails,
  fileName,
  hundredths: decimalInHundredths,
  link,
  phone,
  time,
  webAddress,
}
const wrong = expect.any(InvalidCell)

test.each([
  ['date', '2026-11-21', '2026-11-21'],
  ['date', '21.11.2026', '2026-11-21'],
  ['date', '1.3.2026', '2026-03-01'],
  ['date', '29.02.2028', '2028-02-29'],
  ['date', '2026-11-21 18:00', '2026-11-21'],
  ['date', '31.02.2026', wrong],
  ['date', '2026-13-01', wrong],
  ['date', '31.12.9999', wrong],
  ['date', '2026/11/21', wrong],
  ['date', '21.11.26', wrong],
  ['dateTime', '2026-11-21', '2026-11-21 00:00:00'],
  ['dateTime', '21.11.2026 18:00', '2026-11-21 18:00:00'],
  ['dateTime', '2026-11-21T18:00', '2026-11-21 18:00:00'],
  ['dateTime', '2026-11-21T18:00:30', '2026-11-21 18:00:30'],
  ['dateTime', '2026-11-21 24:00', wrong],
  ['dateTime', '2026-11-21T18:00Z', wrong],
  ['time', '18:00', '18:00:00'],
  ['time', '8:05', '08:05:00'],
  ['time', '18.00', wrong],
  ['time', '18:60', wrong],
  ['hundredths', '12', 1200],
  ['hundredths', '12,5', 1250],
  ['hundredths', '84.70', 8470],
  ['hundredths', '12.500', 1250],
  ['hundredths', '12.505', wrong],
  ['hundredths', '-1', wrong],
  ['hundredths', '12,50 €', 1250],
  ['hundredths', '12 EUR', 1200],
  ['hundredths', '1.234,50\u00a0€', 123450],
  ['hundredths', '1.234', wrong],
  ['hundredths', '1.200 €', wrong],
  ['hundredths', '1.000 EUR', wrong],
  ['hundredths', '1,234.50', wrong],
  ['hundredths', '12,50 $', wrong],
  ['hundredths', '1.234,50', 123450],
  ['hundredths', '1.23,50', wrong],
  ['hundredths', 'frei', wrong],
  ['decimal', '13,33', 13.33],
  ['boolean', 'TRUE', true],
  ['boolean', 'ja', true],
  ['boolean', '0', false],
  ['boolean', 'Nein', false],
  ['boolean', 'WAHR', true],
  ['boolean', 'FALSCH', false],
  ['boolean', 'yes', wrong],
  ['email', ' Kim@Example.COM ', 'kim@example.com'],
  ['email', 'kim@example', wrong],
  ['emails', 'a@example.com b@example.com', ['a@example.com', 'b@example.com']],
  ['phone', '0171-392 00.01', '0171 392 00 01'],
  ['phone', 'call me', wrong],
  ['webAddress', 'https://meet.example.com/x?y=1', 'https://meet.example.com/x?y=1'],
  ['webAddress', 'javascript:alert(1)', wrong],
  ['link', '17', '17'],
  ['link', 'category:9', 'category:9'],
  ['link', 'mailto:sport@example.com', 'mailto:sport@example.com'],
  ['link', '/flyers', '/flyers'],
  ['link', 'javascript:alert(1)', wrong],
  ['link', '//evil.example', wrong],
  ['fileName', 'Ärger (1).pdf', 'Ärger (1).pdf'],
  ['fileName', '../secret.pdf', wrong],
  ['fileName', '..\\secret.pdf', wrong],
  ['fileName', '.htaccess', wrong],
] as const)('%s %j → %j', (name, text, expected) => {
  expect(parsers[name](text, 0)).toEqual(expected)
})

test('a percentage may have its sign', () => {
  const share = percentage(100)
  expect(['80', '80%', '80 %', '100%'].map(text => share(text, 0))).toEqual([80, 80, 80, 100])
  expect([share('8000%', 0), share('12.5%', 0), share('%', 0)]).toEqual([wrong, wrong, wrong])
})

test('integers are checked against their limits', () => {
  const day = integer(0, 6)
  expect(['0', '6', '-1', '7', '1.5', 'x'].map(text => day(text, 0))).toEqual([0, 6, wrong, wrong, wrong, wrong])
})

test('any calendar date is parsed identically in both notations and moved by whole days', () => {
  const anyDate = fc.date({ min: new Date('1900-01-01'), max: new Date('2199-12-31'), noInvalidDate: true })
  fc.assert(
    fc.property(anyDate, fc.integer({ min: -3000, max: 3000 }), (day, days) => {
      const iso = day.toISOString().slice(0, 10)
      const german = iso.split('-').reverse().join('.')
      expect(date(iso, 0)).toBe(iso)
      expect(date(german, 0)).toBe(iso)
      const moved = date(iso, days)
      expect((Date.parse(String(moved)) - Date.parse(iso)) / 86_400_000).toBe(days)
    }),
  )
})
