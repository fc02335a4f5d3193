import { expect, test } from 'vitest'
import { readBillingSettings } from '#server/platform/branding/read.ts'
import { checkIban } from './iban-rules.ts'
import { toSepaText, writeCreditTransfers } from './payment-order-rules.ts'

test.each([
  ['Selma Aydın', 'Selma Aydin'],
  ['Jörg Weiß & Co', 'Joerg Weiss Co'],
  ['Łukasz Wałek', 'Lukasz Walek'],
  ['Søren Ærø', 'Soren Aero'],
  ['Đukić', 'Dukic'],
  ['Guðrún Þórsdóttir', 'Gudrun Thorsdottir'],
  ['Anaïs O’Neill', "Anais O'Neill"],
  ['Mu\u0308ller', 'Mueller'],
  ['Олена Коваль', "Olena Koval'"],
  ['Γιώργος Παππάς', 'Giorgos Pappas'],
  ['Kim 🙂 Muster', 'Kim Muster'],
  ['王小明', ''],
  ['Kim 王', ''],
  ['–', ''],
])('%s is written as %s', (name, written) => {
  expect(toSepaText(name, 70)).toBe(written)
})

test.each([
  ['DE75512108001245126199', 'valid'],
  ['GB29NWBK60161331926819', 'valid'],
  ['RS35260005601001611379', 'valid'],
  ['DE4512030000000020205', 'invalid'],
  ['DE04ABCD0000000020205', 'invalid'],
  ['DE75512108001245126198', 'invalid'],
  ['ZZ18120300000020', 'invalid'],
  ['TR330006100519786457841326', 'outsideSepa'],
])('the IBAN %s is %s', (iban, state) => {
  expect(checkIban(iban)).toBe(state)
})

test('a transfer that would make the order invalid is refused before the order is written', () => {
  const billing = readBillingSettings(['branding'])
  const transfer = { reference: '2-00001', name: 'Ołeksandr Ðurić', iban: 'DE75512108001245126199', cents: 1 }
  const write = (change: Partial<typeof transfer>) =>
    writeCreditTransfers(billing, { id: 'REFUND-2', today: '2026-11-24', transfers: [{ ...transfer, ...change }] })
  expect(write({}).toString()).toContain('<Cdtr><Nm>Oleksandr Duric</Nm></Cdtr>')
  expect(() => write({ name: '王小明' })).toThrow('2-00001: Cdtr/Nm')
  expect(() => write({ iban: 'DE4512030000000020205' })).toThrow('CdtrAcct/Id/IBAN')
  expect(() => write({ cents: 0 })).toThrow('InstdAmt')
})
