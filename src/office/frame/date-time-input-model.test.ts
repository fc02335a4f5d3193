import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type DateTimeKind, formatDateTimeInput, parseDateTimeInput } from './date-time-input-model.ts'

test.each<[DateTimeKind, string, string | null]>([
  ['date', '24.11.2026', '2026-11-24'],
  ['date', ' 1.2.27 ', '2027-02-01'],
  ['date', '2027-02-01', '2027-02-01'],
  ['date', '1/2/2027', '2027-02-01'],
  ['date', '31.02.2027', null],
  ['date', '29.02.2028', '2028-02-29'],
  ['date', '24.11.', null],
  ['date', '24.11.2026 18:00', null],
  ['date', '', null],
  ['time', '18:00', '18:00'],
  ['time', '7', '07:00'],
  ['time', '1830', '18:30'],
  ['time', '7.05', '07:05'],
  ['time', '24:00', null],
  ['time', '18:60', null],
  ['moment', '24.11.2026, 18:00', '2026-11-24T18:00'],
  ['moment', '24.11.26 7', '2026-11-24T07:00'],
  ['moment', '2026-11-24T18:00', '2026-11-24T18:00'],
  ['moment', '24.11.2026', null],
  ['moment', '24.11.2026 25:00', null],
])('%s: the input "%s" is parsed as %s', (kind, text, stored) => expect(parseDateTimeInput(kind, text)).toBe(stored))

test('every formatted value is parsed back to the stored one', () => {
  const day = fc.date({ min: new Date('2000-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
  fc.assert(
    fc.property(day, fc.constantFrom<DateTimeKind>('date', 'time', 'moment'), (at, kind) => {
      const stored = {
        date: at.toISOString().slice(0, 10),
        time: at.toISOString().slice(11, 16),
        moment: at.toISOString().slice(0, 16),
      }[kind]
      expect(parseDateTimeInput(kind, formatDateTimeInput(kind, stored))).toBe(stored)
    }),
  )
})
