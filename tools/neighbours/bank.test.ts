import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import iban from 'iban'
import { composeIBAN } from 'ibantools'
import mt940 from 'mt940js'
import { afterAll, expect, test } from 'vitest'
import { readBillingSettings } from '../../server/platform/branding/read.ts'
import { readBankStatement } from '../../server/platform/files/read-bank-statement.ts'
import { checkIban } from '../../server/platform/payments/iban-rules.ts'
import { writeCreditTransfers } from '../../server/platform/payments/payment-order-rules.ts'
import { hasModule, isInstalled, PYTHON, run } from './programs.ts'

const folder = await mkdtemp(join(tmpdir(), 'bank-'))
afterAll(() => rm(folder, { recursive: true }))

const NAMES = [
  'Selma Aydın',
  'Олена Коваль',
  'Γιώργος Παππάς',
  'Łukasz Wałek & Søhne',
  'Kim 🙂 Müller',
  'x'.repeat(200),
]

test.skipIf(!isInstalled('xmllint'))(
  'xmllint validates a payment order with names of any European script',
  async () => {
    const transfers = NAMES.map((name, index) => ({
      reference: `2-${String(index + 1).padStart(5, '0')}`,
      name,
      iban: 'DE75512108001245126199',
      cents: 100 + index,
    }))
    const billing = readBillingSettings([join(import.meta.dirname, '../../branding')])
    const path = join(folder, 'order.xml')
    await writeFile(path, writeCreditTransfers(billing, { id: 'REFUND-2', today: '2026-11-24', transfers }))
    const schema = join(import.meta.dirname, 'credit-transfers.xsd')
    const { status, output } = run('xmllint', ['--noout', '--schema', schema, path])
    expect(status, output).toBe(0)
  },
)

test('another reader finds the same turnovers in MT940', async () => {
  const lines = [
    '2611241124CR45,00NTRFNONREF//B-77',
    '2611251125DR17,9NDDTKREF+',
    '261126D1,NMSCX',
    '2612021202RD5,00NTRFREV',
    '2612031203RC6,05NTRFREV',
  ]
  const text = `:20:STARTUMS\n:25:12030000/0000202051\n:28C:0\n:60F:C261123EUR100,00\n${lines
    .map(line => `:61:${line}\n:86:166?00GUTSCHRIFT?20SVWZ+Rechnung?32MUSTER`)
    .join('\n')}\n:62F:C261203EUR125,05\n-\n`
  const theirs = new mt940.Parser().parse(text).flatMap(({ transactions }) => transactions)
  const ours = await readBankStatement(Buffer.from(text))
  if (!Array.isArray(ours)) throw new Error('the layout is unknown')
  expect(ours.map(({ bookedOn, cents, isCredit }) => [bookedOn, ((isCredit ? 1 : -1) * (cents ?? 0)) / 100])).toEqual(
    theirs.map(({ date, entryDate, amount }) => [(entryDate || date).toISOString().slice(0, 10), amount]),
  )
})

/** An account of each country, from the registry of IBANs, and the same with a digit too few, too many or another one. */
const ACCOUNTS = ['AT', 'BE', 'CH', 'DE', 'ES', 'FR', 'GB', 'IT', 'LT', 'LU', 'NL', 'PL', 'SE', 'TR', 'AE'].flatMap(
  country => {
    const { example = '' } = iban.countries[country] ?? {}
    const bban = example.slice(4)
    const shorter = bban.slice(0, -1)
    const others = [shorter, `${bban}0`].map(one => composeShifted(country, one))
    return [example, example.replace(/\d$/, digit => String((Number(digit) + 1) % 10)), ...others]
  },
)
/** An IBAN with right check digits, whatever its length. */
function composeShifted(country: string, bban: string): string {
  const digits = `${bban}${country}00`.replaceAll(/[A-Z]/g, letter => String(letter.charCodeAt(0) - 55))
  return `${country}${String(98n - (BigInt(digits) % 97n)).padStart(2, '0')}${bban}`
}

test('two other libraries agree on which IBANs exist', () => {
  expect(composeIBAN({ countryCode: 'DE', bban: '120300000000202051' })).toBe(
    composeShifted('DE', '120300000000202051'),
  )
  const ours = ACCOUNTS.map(one => checkIban(one) !== 'invalid')
  expect(ours.filter(isValid => isValid)).toHaveLength(15)
  expect(ACCOUNTS.map(one => iban.isValid(one))).toEqual(ours)
  if (!hasModule('stdnum')) return console.log('Skipped: Python has no stdnum')
  const script =
    'import json, sys\nfrom stdnum import iban\nprint(json.dumps([iban.is_valid(one, check_country=False) for one in json.load(sys.stdin)]))'
  const { stdout } = spawnSync(PYTHON, ['-c', script], { input: JSON.stringify(ACCOUNTS), encoding: 'utf8' })
  expect(JSON.parse(stdout)).toEqual(ours)
})
