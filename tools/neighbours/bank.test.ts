import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { access, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse, type Statement } from '@centrapay/swift-parser'
import iban from 'iban'
import { composeIBAN } from 'ibantools'
import mt940 from 'mt940js'
import { afterAll, expect, test } from 'vitest'
import { readBillingSettings } from '../../server/platform/branding/read.ts'
import type { BankTurnover } from '../../server/platform/files/bank-turnover.ts'
import { readBankStatement } from '../../server/platform/files/read-bank-statement.ts'
import { checkIban } from '../../server/platform/payments/iban-rules.ts'
import { writeCreditTransfers } from '../../server/platform/payments/payment-order-rules.ts'
import { buildCamt } from '../../server/test/statements.ts'
import { hasModule, isInstalled, PYTHON, run } from './programs.ts'

const HBCI4JAVA = '/usr/share/java/hbci4j-core.jar'
const folder = await mkdtemp(join(tmpdir(), 'bank-'))
afterAll(() => rm(folder, { recursive: true }))

/** Schemas of ISO 20022 that Debian's package of HBCI4Java has; null if it is not installed. */
const schemas = await access(HBCI4JAVA).then(
  () => {
    expect(run(PYTHON, ['-m', 'zipfile', '-e', HBCI4JAVA, folder]).status).toBe(0)
    return (name: string) => join(folder, `${name}.xsd`)
  },
  () => null,
)
if (schemas === null) console.log(`Skipped: there is no ${HBCI4JAVA}`)

async function validate(xml: string | Buffer, schema: string): Promise<void> {
  const path = join(folder, 'validated.xml')
  await writeFile(path, xml)
  const { status, output } = run('xmllint', ['--noout', '--schema', schema, path])
  expect(status, output).toBe(0)
}
async function readTurnovers(content: string | Buffer): Promise<BankTurnover[]> {
  const turnovers = await readBankStatement(Buffer.from(content))
  if (!Array.isArray(turnovers)) throw new Error('the layout is unknown')
  return turnovers
}
const signed = ({ cents, isCredit }: BankTurnover) => ((isCredit ? 1 : -1) * (cents ?? Number.NaN)) / 100

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
    const order = writeCreditTransfers(billing, { id: 'REFUND-2', today: '2026-11-24', transfers })
    await validate(order, join(import.meta.dirname, 'credit-transfers.xsd'))
    if (schemas !== null) await validate(order, schemas('pain.001.001.09'))
  },
)

type Details = { id: string; amount: string; currency?: string; kind?: string }
type Entry = Partial<Details> & { state?: string; reversal?: string; day?: string; details?: Details[] }

/** Element of a message and of its reports. A version of the three messages has the same entries. */
const MESSAGES = {
  'camt.052': ['BkToCstmrAcctRpt', 'Rpt'],
  'camt.053': ['BkToCstmrStmt', 'Stmt'],
  'camt.054': ['BkToCstmrDbtCdtNtfctn', 'Ntfctn'],
} as const

/** The same report as another message. */
const asMessage = (xml: string, kind: keyof typeof MESSAGES) =>
  xml
    .replaceAll(MESSAGES['camt.052'][0], MESSAGES[kind][0])
    .replaceAll(/(?<=<\/?)Rpt>/g, `${MESSAGES[kind][1]}>`)
    .replace('camt.052', kind)

/** Two accounts with a collective entry, a reversal, another currency and an entry that is not booked. */
function writeReport(version: number): string {
  const isLater = version >= 7
  const money = ({ amount = '', currency = 'EUR' }: Partial<Details>) => `<Amt Ccy="${currency}">${amount}</Amt>`
  const kindOf = ({ kind = 'CRDT' }: Partial<Details>) => `<CdtDbtInd>${kind}</CdtDbtInd>`
  const details = (one: Details) =>
    `<TxDtls><Refs><EndToEndId>${one.id}</EndToEndId></Refs>${
      version >= 3 ? money(one) + kindOf(one) : `<AmtDtls><TxAmt>${money(one)}</TxAmt></AmtDtls>`
    }<RltdPties><Dbtr>${isLater ? '<Pty><Nm>Kim Muster</Nm></Pty>' : '<Nm>Kim Muster</Nm>'}</Dbtr></RltdPties><RmtInf><Ustrd>Rechnung</Ustrd></RmtInf></TxDtls>`
  const entry = ({ state = 'BOOK', reversal = '', day = '<Dt>2026-11-24</Dt>', ...one }: Entry) =>
    `<Ntry>${money(one)}${kindOf(one)}${reversal}<Sts>${isLater ? `<Cd>${state}</Cd>` : state}</Sts><BookgDt>${day}</BookgDt>
<BkTxCd><Prtry><Cd>NTRF+166</Cd></Prtry></BkTxCd><NtryDtls>${(one.details ?? [{ id: 'E-9', ...one } as Details]).map(details).join('')}</NtryDtls></Ntry>`
  const report = (id: string, account: string, entries: Entry[]) =>
    `<Rpt><Id>${id}</Id><CreDtTm>2026-11-24T20:00:00</CreDtTm><Acct><Id><IBAN>${account}</IBAN></Id></Acct>${entries.map(entry).join('')}</Rpt>`
  const collective = [
    { id: 'E-1', amount: '10.00' },
    { id: 'E-2', amount: '20.00' },
  ]
  const first: Entry[] = [
    { amount: '30.00', details: collective },
    { amount: '1.5', kind: 'DBIT', day: '<DtTm>2026-11-25T00:30:00</DtTm>' },
    { amount: '5.00000', kind: 'DBIT', reversal: '<RvslInd>true</RvslInd>' },
  ]
  const second: Entry[] = [
    { amount: '7.00', currency: 'USD' },
    { amount: '8.00', state: 'PDNG' },
  ]
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.052.001.0${version}"><BkToCstmrAcctRpt><GrpHdr><MsgId>1</MsgId><CreDtTm>2026-11-24T20:00:00</CreDtTm></GrpHdr>
${report('1', 'DE02120300000000202051', first)}
${report('2', 'DE75512108001245126199', second)}</BkToCstmrAcctRpt></Document>`
}

test.skipIf(schemas === null || !isInstalled('xmllint')).each([2, 3, 4, 5, 6, 7, 8, 9])(
  'each turnover of a statement that is valid camt.052.001.0%i is read',
  async version => {
    const xml = writeReport(version)
    await validate(xml, schemas?.(`camt.052.001.0${version}`) ?? '')
    const turnovers = await readTurnovers(xml)
    for (const kind of ['camt.053', 'camt.054'] as const)
      expect(await readTurnovers(asMessage(xml, kind))).toEqual(turnovers.map(one => ({ ...one, source: kind })))
    expect(turnovers.map(one => [one.account.slice(0, 4), one.bookedOn, signed(one), one.texts[0]])).toEqual([
      ['DE02', '2026-11-24', 10, 'E-1'],
      ['DE02', '2026-11-24', 20, 'E-2'],
      ['DE02', '2026-11-25', -1.5, 'E-9'],
      ['DE02', '2026-11-24', -5, 'E-9'],
      ['DE75', '2026-11-24', 7, 'E-9'],
      ['DE75', '2026-11-24', 8, 'E-9'],
    ])
    expect(
      turnovers.map(({ currency, isBooked, isReversal, payer }) => [currency, isBooked, isReversal, payer]).slice(2),
    ).toEqual([
      ['EUR', true, false, ''],
      ['EUR', true, true, ''],
      ['USD', true, false, 'Kim Muster'],
      ['EUR', false, false, 'Kim Muster'],
    ])
  },
)

test.skipIf(schemas === null || !isInstalled('xmllint'))('the statements of other tests are valid', async () => {
  const statement = buildCamt([
    { cents: 4_500, text: 'x', reference: 'B-1' },
    { cents: 1, text: 'y', kind: 'DBIT', reversal: true },
  ])
  const report = statement
    .replaceAll('BkToCstmrStmt', 'BkToCstmrAcctRpt')
    .replaceAll(/(?<=<\/?)Stmt>/g, 'Rpt>')
    .replace('camt.053', 'camt.052')
  await validate(report, schemas?.('camt.052.001.08') ?? '')
})

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
  expect((await readTurnovers(text)).map(one => [one.bookedOn, signed(one)])).toEqual(
    theirs.map(({ date, entryDate, amount }) => [(entryDate || date).toISOString().slice(0, 10), amount]),
  )
})

/** Statements that the packages of two libraries have for their own tests. */
const samples = globSync('{mt940js,@centrapay/swift-parser}/test/*.mt94*', {
  cwd: join(import.meta.dirname, 'node_modules'),
})
test('the libraries have statements of their own', () => expect(samples.length).toBeGreaterThanOrEqual(9))

test.each(samples)('each turnover of %s is read as another library reads it', async name => {
  const content = await readFile(join(import.meta.dirname, 'node_modules', name))
  const isInterim = name.endsWith('mt942')
  const theirs: Statement[] = parse({ type: isInterim ? 'mt942' : 'mt940', data: content.toString() })
  const turnovers = await readTurnovers(content)
  expect(turnovers.map(one => [one.account, one.bookedOn, signed(one)])).toEqual(
    theirs.flatMap(({ accountIdentification, transactions }) =>
      transactions.map(({ date, entryDate, amount }) => [
        accountIdentification,
        (entryDate || date).toISOString().slice(0, 10),
        Number(amount),
      ]),
    ),
  )
  expect(turnovers.map(({ isBooked }) => isBooked)).toEqual(turnovers.map(() => !isInterim))
  expect(turnovers.map(({ currency }) => currency)).not.toContain('')
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
