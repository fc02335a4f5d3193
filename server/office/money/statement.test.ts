// Fixed dates: days of bank statements, which are compared with each other and with days given by hand.
import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ZipFile } from 'yazl'
import { saveIban } from '#contract/endpoints/money.ts'
import { uploadOfficeFile } from '#contract/office/content.ts'
import { getBatch, listInvoices } from '#contract/office/money.ts'
import { auditPortal } from '#server/operations/audit/audit.ts'
import { sql } from '#server/platform/db/client.ts'
import { insertRow } from '#server/test/factories.ts'
import { insertInvoice } from '#server/test/money-scene.ts'
import { openTestOffice, type TestAct } from '#server/test/office.ts'
import { buildCamt, buildSavingsBankCsv } from '#server/test/statements.ts'

const { server, ...office } = await openTestOffice(['billing'])
const { db } = server

const upload = async (name: string, text: string | Buffer<ArrayBuffer>) =>
  (await server.request(uploadOfficeFile, { token: office.token, file: new File([text], name) })).body.fileId

type Line = { amount: number; why?: string; key?: string; decision?: string; payer?: string; text?: string }
type Lists = {
  paid: Line[]
  repeated: Line[]
  maybe: Line[]
  unmatched: Line[]
  ignored: Record<'pending' | 'currency' | 'debit' | 'unreadable', Line[]>
}
type MarkPaid = Extract<TestAct, { kind: 'mark-paid' }>
const take = async (name: string, text: string | Buffer<ArrayBuffer>, more: Partial<MarkPaid> = {}) => {
  const answer = await office.act({ kind: 'mark-paid', fileId: await upload(name, text), ...more })
  return { ...answer, result: answer.result as Lists & { amount: number } }
}
const listsOf = ({ paid, repeated, maybe, unmatched, ignored }: Lists) => ({
  paid,
  repeated,
  maybe,
  unmatched,
  ...ignored,
})
/** Number of lines in each list that is not empty. */
const countsOf = (result: Lists) =>
  Object.fromEntries(
    Object.entries(listsOf(result)).flatMap(([name, lines]) => (lines.length > 0 ? [[name, lines.length]] : [])),
  )
const paidOf = async (number: string) =>
  (await server.request(listInvoices, { token: office.token, query: {} })).body.items.find(one => one.number === number)
    ?.paid
const countPayments = async () =>
  (await db.one<{ count: number }>(sql`select count(*)::int as count from payments`)).count
const day = '2026-11-24'

test('a bank statement pays the invoices named in its transactions, and importing it again pays nothing', async () => {
  const [first, second, third] = [await insertInvoice(db), await insertInvoice(db), await insertInvoice(db)]
  const statement = buildCamt([
    { cents: 4_500, text: `Kurs ${first.number} danke` },
    { cents: 2_000, text: second.number.replace('-', ' ') },
    { cents: 2_000, text: second.number.replace('-', ' ') },
    { cents: 4_501, text: third.number },
    { cents: 4_500, text: `${first.number} und ${second.number} und ${third.number}` },
    { cents: 100, text: 'Miete' },
    { cents: 100, text: '2001-999999' },
    { cents: 4_500, text: third.number, reversal: true },
  ])
  const unmatched = ['tooMuch', 'severalNumbers', 'noNumber', 'unknown', 'reversal']
  const preview = await take('november.xml', statement, { preview: true })
  expect(await countPayments()).toBe(0)
  const answer = await take('november.xml', statement)
  expect(answer).toMatchObject({ status: 'Ok', result: { amount: 85 } })
  expect(countsOf(answer.result)).toEqual({ paid: 3, unmatched: 5 })
  expect(countsOf(preview.result)).toEqual(countsOf(answer.result))
  expect(answer.result.unmatched.map(({ why }) => why)).toEqual(unmatched)
  // The stored response must not contain what people write to the bank.
  expect(preview.result.unmatched[2]).toMatchObject({ payer: 'Kim Muster', text: 'NOTPROVIDED Miete' })
  expect(answer.result.unmatched[2]).toEqual({ paidOn: day, amount: 1, why: 'noNumber' })
  expect([await paidOf(first.number), await paidOf(second.number), await paidOf(third.number)]).toEqual([45, 40, 0])

  expect(countsOf((await take('again.xml', statement)).result)).toEqual({ repeated: 3, unmatched: 5 })
  // A longer statement repeats the lines of a shorter one.
  const longer = statement.replace(
    '</Stmt>',
    `${buildCamt([{ cents: 500, text: second.number }]).match(/<Ntry>[\s\S]*<\/Ntry>/)?.[0]}</Stmt>`,
  )
  expect((await take('longer.xml', longer)).result).toMatchObject({ amount: 5, repeated: { length: 3 } })
  expect(await countPayments()).toBe(4)
  await expect(db.execute(sql`update bank_lines set cents = 1`)).rejects.toThrow('append-only')
})

test('a CSV statement imported concurrently by two users is booked once', async () => {
  const invoice = await insertInvoice(db)
  const csv = `bookedOn;amount;text\n2026-11-24;20,00;${invoice.number}\n`
  const answers = await Promise.all([take('a.csv', csv), take('b.csv', csv)])
  expect(answers.map(({ result }) => result.paid.length).sort()).toEqual([0, 1])
  expect(await paidOf(invoice.number)).toBe(20)
})

test('the same payment in another format is booked once, whatever its text', async () => {
  const { number } = await insertInvoice(db)
  await take('a.xml', buildCamt([{ cents: 1_100, text: number }]))
  // Account, day and amount are the same; the bank states no reference.
  const csv = buildSavingsBankCsv([{ day, cents: 1_100, text: `SVWZ+${number} EREF: NOTPROVIDED` }])
  expect(countsOf((await take('a.csv', csv)).result)).toEqual({ repeated: 1 })
  const two = buildSavingsBankCsv([
    { day, cents: 1_100, text: number },
    { day, cents: 1_100, text: number },
  ])
  expect(countsOf((await take('b.csv', two)).result)).toEqual({ paid: 1, repeated: 1 })
  expect(await paidOf(number)).toBe(22)
})

test('a payment that another source may have recorded awaits a decision', async () => {
  const { number } = await insertInvoice(db)
  await office.act({ kind: 'mark-paid', invoiceNumber: number, paidOn: '2026-11-20', amount: 13 })
  const statement = buildCamt([
    { cents: 1_300, text: number, reference: 'B-1' },
    { cents: 1_300, text: number, reference: 'B-2', day: '2026-11-26' },
  ])
  const first = await take('a.xml', statement, { preview: true })
  // The second one is 15 days later.
  expect(countsOf(first.result)).toEqual({ paid: 1, maybe: 1 })
  const [line] = first.result.maybe
  expect(line).toMatchObject({ why: 'samePayment', earlier: { paidOn: '2026-11-20', byHand: true } })
  const dropped = await take('a.xml', statement, { drop: [line?.key ?? ''] })
  expect(dropped.result.maybe).toMatchObject([{ decision: 'dropped' }])
  expect(await paidOf(number)).toBe(26)
  expect(countsOf((await take('a.xml', statement)).result)).toEqual({ repeated: 2 })

  // The same turnover without the bank's reference, in a CSV file.
  const csv = buildSavingsBankCsv([{ day: '2026-11-26', cents: 1_300, text: number }])
  const again = await take('a.csv', csv)
  expect(again.result.maybe).toMatchObject([{ why: 'samePayment', earlier: { byHand: false } }])
  expect(await paidOf(number)).toBe(26)
  await take('a.csv', csv, { confirm: [again.result.maybe[0]?.key ?? ''] })
  expect(await paidOf(number)).toBe(39)
  // Entering a payment of the bank by hand requires a reason.
  expect(
    await office.act({ kind: 'mark-paid', invoiceNumber: number, paidOn: '2026-11-27', amount: 13 }),
  ).toMatchObject({ status: 'Failed' })
  const part = { kind: 'mark-paid', invoiceNumber: number, amount: 6 } as const
  expect(await office.act({ ...part, paidOn: '2026-11-27' })).toMatchObject({ status: 'Ok' })
})

test('a payment of a fully paid invoice is probably the one already recorded', async () => {
  const { number } = await insertInvoice(db)
  await office.act({ kind: 'mark-paid', invoiceNumber: number, paidOn: day, amount: 45 })
  const statement = buildCamt([{ cents: 4_500, text: number }])
  const { result } = await take('a.xml', statement)
  expect(result.maybe).toMatchObject([{ why: 'samePayment' }])
  const confirmed = await take('a.xml', statement, { confirm: [result.maybe[0]?.key ?? ''] })
  expect(confirmed.result.unmatched).toMatchObject([{ why: 'tooMuch' }])
  expect(await paidOf(number)).toBe(45)
})

test('credits that version 2.0 recorded by their text are recognized', async () => {
  const { number } = await insertInvoice(db)
  const content = JSON.stringify([day, 700, `NOTPROVIDED RECHNUNG ${number}`])
  const hash = createHash('sha256').update(`${content} 1`).digest()
  const { id: bankLineId } = await insertRow<{ id: number }>(db, 'bank_lines', { hash, bookedOn: day, cents: 700 })
  await insertRow(db, 'payments', { invoiceNumber: number, paidOn: day, cents: 700, bankLineId })
  const statement = buildCamt([{ cents: 700, text: `Rechnung  ${number}`, reference: 'B-9' }])
  expect(countsOf((await take('a.xml', statement)).result)).toEqual({ repeated: 1 })
})

test('statements are uploaded under the names that banks give them, also in an archive', async () => {
  const { number } = await insertInvoice(db)
  const mt940 = (cents: number) =>
    `:20:STARTUMS\n:25:12030000/0000202051\n:28C:0\n:60F:C261101EUR0,00\n:61:2611281128CR3,${cents}NTRFNONREF\n:86:166?20${number}?32Kim\n-\n`
  const endings = ['sta', 'STA', 'mta', 'mt940', '940', 'txt']
  for (const [index, ending] of endings.entries())
    expect(countsOf((await take(`umsatz.${ending}`, mt940(10 + index))).result)).toEqual({ paid: 1 })
  const zip = new ZipFile()
  zip.addBuffer(Buffer.from(mt940(40)), 'umsatz.sta')
  zip.end()
  expect(countsOf((await take('umsatz.zip', await buffer(zip.outputStream))).result)).toEqual({ paid: 1 })
})

test('an invoice number is found however the bank and the payer write it', async () => {
  const { number } = await insertInvoice(db)
  const [year = '', digits = ''] = number.split('-')
  const written = [
    `RE${year}${digits}`,
    `${year}/${digits}`,
    `${year}.${digits}`,
    `${year} – ${digits}`,
    `${year}-${digits.slice(0, 3)}</Ustrd><Ustrd>${digits.slice(3)} danke`,
    `${number} zu 2026120107`,
    `</Ustrd></RmtInf><AddtlTxInf>${number}</AddtlTxInf><RmtInf><Ustrd>`,
    `</Ustrd><Strd><RfrdDocInf><Nb>${number}</Nb></RfrdDocInf></Strd><Ustrd>`,
  ]
  const statement = buildCamt(written.map((text, index) => ({ cents: 10 + index, text })))
  expect(countsOf((await take('a.xml', statement)).result)).toEqual({ paid: written.length })
})

test('one transfer pays several invoices if it equals their open sums', async () => {
  const [first, second] = [await insertInvoice(db), await insertInvoice(db)]
  await office.act({ kind: 'mark-paid', invoiceNumber: first.number, paidOn: '2026-01-02', amount: 5 })
  const text = `${first.number}, ${second.number}`
  expect(countsOf((await take('a.xml', buildCamt([{ cents: 9_000, text }]))).result)).toEqual({ unmatched: 1 })
  const statement = buildCamt([{ cents: 8_500, text }])
  expect((await take('a.xml', statement)).result.paid).toMatchObject([
    { amount: 85, invoiceNumbers: [first.number, second.number] },
  ])
  expect([await paidOf(first.number), await paidOf(second.number)]).toEqual([45, 45])
  expect(countsOf((await take('b.xml', statement)).result)).toEqual({ repeated: 1 })
})

test('a payment that goes back to the payer reopens the invoice once it is confirmed', async () => {
  const { number } = await insertInvoice(db)
  const statement = buildCamt([
    { cents: 4_500, text: number },
    { cents: 4_500, text: `Rueckueberweisung ${number}`, kind: 'DBIT', day: '2026-11-26' },
    { cents: 9_000, text: number, kind: 'DBIT', day: '2026-11-26' },
    { cents: 100, text: 'Strom', kind: 'DBIT' },
  ])
  const { result } = await take('a.xml', statement)
  expect(countsOf(result)).toEqual({ paid: 1, maybe: 1, unmatched: 1, debit: 1 })
  expect([result.maybe[0]?.why, result.maybe[0]?.amount, result.unmatched[0]?.why]).toEqual(['paidBack', -45, 'debit'])
  expect(await paidOf(number)).toBe(45)
  await take('a.xml', statement, { confirm: [result.maybe[0]?.key ?? ''] })
  expect(await paidOf(number)).toBe(0)
  expect(countsOf((await take('a.xml', statement)).result)).toEqual({ repeated: 2, unmatched: 1, debit: 1 })
})

test('a refund that comes back is put on hold again once it is confirmed', async () => {
  const person = await insertInvoice(db)
  await office.act({ kind: 'mark-paid', invoiceNumber: person.number, paidOn: day, amount: 45 })
  await insertRow(db, 'ledger_entries', { accountId: person.accountId, kind: 'lessons-cancelled', cents: -1_250 })
  await server.request(saveIban, { token: person.token, body: { iban: 'DE75512108001245126199' } })
  const batchId = Number((await office.act({ kind: 'create-batch', batchKind: 'refund' })).result.id)
  await office.act({ kind: 'close-batch', batchId })
  await office.act({ kind: 'answer-batch', batchId, all: true })
  const endToEndId = `${batchId}-00001`
  const statement = buildCamt([{ cents: 1_250, text: 'Konto erloschen', endToEndId }])
  const { result } = await take('a.xml', statement)
  expect(result.maybe).toMatchObject([{ why: 'refundReturned', reference: endToEndId }])
  await take('a.xml', statement, { confirm: [result.maybe[0]?.key ?? ''] })
  const linesIn = async (language: string) =>
    (
      await server.request(getBatch, {
        token: office.token,
        params: { id: batchId },
        headers: { 'Accept-Language': language },
      })
    ).body.lines
  expect(await linesIn('de')).toMatchObject([{ state: 'returned', why: 'Rücküberweisung laut Kontoauszug' }])
  expect(await linesIn('en')).toMatchObject([{ why: 'Returned according to the bank statement' }])
  expect(countsOf((await take('a.xml', statement)).result)).toEqual({ repeated: 1 })
})

test('the columns of an unknown CSV file are assigned once', async () => {
  const { number } = await insertInvoice(db)
  const csv = (text: string, amount = '3,00') => `Wann;Wieviel;Wofür\n24.11.2026;${amount};${text}\n`
  expect(await take('a.csv', csv(number))).toMatchObject({
    status: 'Failed',
    result: { columns: ['Wann', 'Wieviel', 'Wofür'], rows: [['24.11.2026', '3,00', number]] },
  })
  const columns = { day: 'Wann', amount: 'Wieviel', text: 'Wofür' }
  expect(await take('a.csv', csv(number), { columns: { ...columns, text: 'Zweck' } })).toMatchObject({
    status: 'Failed',
  })
  // The first column of a wrong assignment has no day: it would be remembered.
  expect(await take('a.csv', csv(number), { columns: { ...columns, day: 'Wofür' } })).toMatchObject({
    status: 'Failed',
  })
  const preview = await take('a.csv', csv(number), { columns, preview: true })
  const assigned = { columns: ['Wann', 'Wieviel', 'Wofür'], rows: [['24.11.2026', '3,00', number]], chosen: columns }
  expect(preview.result).toMatchObject(assigned)
  const { result } = await take('a.csv', csv(number), { columns })
  expect(countsOf(result)).toEqual({ paid: 1 })
  expect(result).not.toHaveProperty('rows')
  expect(countsOf((await take('b.csv', csv('Miete', '4,00'))).result)).toEqual({ unmatched: 1 })
  // A remembered assignment can be changed.
  expect((await take('c.csv', csv('Miete', '5,00'), { preview: true })).result).toMatchObject({ chosen: columns })
  const changed = { ...columns, payer: 'Wofür' }
  await take('c.csv', csv('Miete', '5,00'), { columns: changed })
  expect((await take('d.csv', csv('Miete'), { preview: true })).result).toMatchObject({ chosen: changed })
})

test('every turnover of a file is in exactly one list, and their sums are those of the file', async () => {
  const open = [await insertInvoice(db), await insertInvoice(db), await insertInvoice(db)]
  const numbers = open.map(({ number }) => number)
  const turnover = fc.record({
    cents: fc.integer({ min: 1, max: 6_000 }),
    text: fc.constantFrom('Miete', '2001-999999', `${numbers[0]} ${numbers[1]}`, ...numbers),
    day: fc.constantFrom('2026-10-01', '2026-10-02'),
    currency: fc.constantFrom('EUR', 'EUR', 'EUR', 'USD'),
    kind: fc.constantFrom('CRDT' as const, 'CRDT' as const, 'DBIT' as const),
    status: fc.constantFrom('BOOK', 'BOOK', 'BOOK', 'PDNG'),
    reference: fc.constantFrom('', 'B-1', 'B-2'),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(turnover, { maxLength: 12 }), async turnovers => {
      const { result } = await take('a.xml', buildCamt(turnovers))
      const lines = Object.values(listsOf(result)).flat()
      expect(lines).toHaveLength(turnovers.length)
      const cents = turnovers.map(one => (one.kind === 'CRDT' ? one.cents : 0 - one.cents))
      const sum = (all: number[]) => all.reduce((total, one) => total + one, 0)
      expect(sum(lines.map(({ amount }) => Math.round(amount * 100)))).toBe(sum(cents))
      // Reading the file again records nothing.
      const again = (await take('a.xml', buildCamt(turnovers))).result
      expect(again.paid).toEqual([])
      expect(again.repeated).toHaveLength(result.repeated.length + result.paid.length)
    }),
    { numRuns: 15 },
  )
  expect((await auditPortal(db)).findings).toEqual([])
})

test('a file that is no bank statement is rejected, as are fields in addition to one', async () => {
  const bomb = buildCamt([]).replace('?>', '?><!DOCTYPE a [<!ENTITY b "bb"><!ENTITY c "&b;&b;">]>')
  expect(await take('bomb.xml', bomb)).toMatchObject({
    status: 'Failed',
    message: expect.stringContaining('Dokumenttyp'),
  })
  const { number } = await insertInvoice(db)
  const fileId = await upload('a.xml', buildCamt([]))
  expect(await office.act({ kind: 'mark-paid', fileId, invoiceNumber: number })).toMatchObject({ status: 'Failed' })
  expect(await office.act({ kind: 'mark-paid', invoiceNumber: number })).toMatchObject({ status: 'Failed' })
})
