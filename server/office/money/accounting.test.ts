import { expect, test } from 'vitest'
import { saveIban } from '#contract/endpoints/money.ts'
import { uploadOfficeFile } from '#contract/office/content.ts'
import { getBatch, getBatchFile, listBatches } from '#contract/office/money.ts'
import { auditPortal } from '#server/operations/audit/audit.ts'
import { readConfig } from '#server/platform/config/config.ts'
import { sql } from '#server/platform/db/client.ts'
import { dateFromNow, insertRow } from '#server/test/factories.ts'
import { insertOwed } from '#server/test/money-scene.ts'
import { openTestOffice } from '#server/test/office.ts'
import { buildCamt } from '#server/test/statements.ts'

const { billing } = readConfig({})
const { server, ...office } = await openTestOffice(['billing'], { billing })
const { db } = server
const { token } = office
const today = dateFromNow(0)

const create = (period?: string) =>
  office.act({ kind: 'create-batch', batchKind: 'accounting', ...(period && { period }) })
const close = (batchId: number) => office.actAsPreviewed({ kind: 'close-batch', batchId })
const linesOf = async (id: number, language = 'de') =>
  (await server.request(getBatch, { token, params: { id }, headers: { 'Accept-Language': language } })).body.lines.map(
    ({ why, reference, amount, state }) => [why, reference, amount, state].join(' '),
  )
const download = async (id: number) => {
  const { headers, body } = await server.request(getBatchFile, { token, params: { id } })
  return { headers, content: Buffer.from(body) }
}
/** Issues an invoice of 45 €. */
async function issueInvoice() {
  const person = await insertOwed(db, { billingType: 3, givenName: 'Jörg', familyName: '=Weiß; & Co' })
  const batch = await office.act({ kind: 'create-batch', batchKind: 'invoice' })
  await office.act({ kind: 'close-batch', batchId: Number(batch.result.id) })
  const { number } = await db.one<{ number: string }>(
    sql`select number from invoices where account_id = ${person.accountId}`,
  )
  const pay = (amount: number, paidOn = today) =>
    office.act({ kind: 'mark-paid', invoiceNumber: number, paidOn, amount })
  return { ...person, number, pay }
}
const credit = (accountId: number, cents: number) =>
  insertRow(db, 'ledger_entries', { accountId, kind: 'lessons-cancelled', cents: 0 - cents })
async function closeRefunds() {
  const batchId = Number((await office.act({ kind: 'create-batch', batchKind: 'refund' })).result.id)
  await office.act({ kind: 'close-batch', batchId })
  return batchId
}

/** Fields of a line, texts without their quotes. */
const split = (line: string) => line.split(';').map(cell => cell.replaceAll('"', ''))
const parse = (content: Buffer) => {
  const [head = '', names = '', ...rows] = content.toString('latin1').split('\r\n')
  expect(rows.pop()).toBe('')
  const columns = split(names)
  return {
    head: split(head),
    columns,
    rows: rows.map(row => Object.fromEntries(columns.map((column, index) => [column, split(row)[index]]))),
  }
}
const shown = (row: Record<string, string | undefined>) =>
  ['Umsatz (ohne Soll/Haben-Kz)', 'Soll/Haben-Kennzeichen', 'Konto', 'Gegenkonto (ohne BU-Schlüssel)', 'Belegfeld 1']
    .map(column => row[column])
    .join(' ')

test('an accounting file has each invoice, payment, cancellation, set-off and refund once, on the right side', async () => {
  expect(await create()).toMatchObject({ status: 'Failed', code: 'office.failed.noPostings' })
  const [open, cancelled, owing, refunded] = [
    await issueInvoice(),
    await issueInvoice(),
    await issueInvoice(),
    await issueInvoice(),
  ]
  await open.pay(20)
  await office.act({ kind: 'cancel-invoice', invoiceNumber: cancelled.number })
  const cancelling = await db.one<{ number: string }>(sql`select number from invoices where cancels is not null`)
  await credit(owing.accountId, 1_000)
  await refunded.pay(45)
  await credit(refunded.accountId, 1_250)
  await server.request(saveIban, { token: refunded.token, body: { iban: 'DE75512108001245126199' } })
  const refunds = await closeRefunds()
  const { reference } = await db.one<{ reference: string }>(
    sql`select reference from batch_lines where batch_id = ${refunds} and route = 'payout'`,
  )

  const draft = await create()
  // A refund is posted once the bank has accepted it.
  expect(draft).toMatchObject({ status: 'Ok', result: { count: 8, amount: 300 } })
  await office.act({ kind: 'answer-batch', batchId: refunds, all: true })
  const id = Number(draft.result.id)
  expect(await linesOf(id, 'en')).toContain(`Refund ${reference} 12.5 draft`)
  const closed = await close(id)
  expect(closed).toMatchObject({ status: 'Ok', result: { count: 9, amount: 312.5 }, consequences: { mails: 0 } })
  expect((await linesOf(id)).sort()).toEqual(
    [
      ...[open, cancelled, owing, refunded].map(({ number }) => `Rechnung ${number} 45 sent`),
      `Storno ${cancelling.number} 45 sent`,
      `Zahlung ${open.number} 20 sent`,
      `Zahlung ${refunded.number} 45 sent`,
      `Verrechnung ${refunds}-00001 10 sent`,
      `Erstattung ${reference} 12.5 sent`,
    ].sort(),
  )
  const { items } = (await server.request(listBatches, { token, query: {} })).body
  expect(items.find(batch => batch.id === id)).toMatchObject({ kind: 'accounting', count: 9, amount: 312.5 })

  const { headers, content } = await download(id)
  expect(headers.get('content-disposition')).toContain(`EXTF_Buchungsstapel-${id}.csv`)
  expect(headers.get('content-type')).toBe('text/csv; charset=windows-1252')
  const { head, columns, rows } = parse(content)
  const [day, year] = [today.replaceAll('-', ''), today.slice(0, 4)]
  expect(head).toHaveLength(31)
  expect(head.slice(0, 5)).toEqual(['EXTF', '700', '21', 'Buchungsstapel', '13'])
  expect(head.slice(10, 22)).toEqual([
    '1001',
    '1',
    `${year}0101`,
    '4',
    day,
    day,
    `Buchungsstapel ${id}`,
    '',
    '1',
    '0',
    '0',
    'EUR',
  ])
  expect([columns.length, new Set(columns).size, columns[116], columns[124]]).toEqual([
    125,
    125,
    'Fälligkeit',
    'Abw. Skontokonto',
  ])
  expect(rows.map(shown).sort()).toEqual(
    [
      ...[open, cancelled, owing, refunded].map(({ number }) => `45,00 S 10000 8100 ${number}`),
      `45,00 H 10000 8100 ${cancelled.number}`,
      `20,00 S 1360 10000 ${open.number}`,
      `45,00 S 1360 10000 ${refunded.number}`,
      `10,00 H 10000 8100 ${owing.number}`,
      `12,50 H 1360 8100 ${reference}`,
    ].sort(),
  )
  expect(rows.every(row => row.Belegdatum === `${today.slice(8)}${today.slice(5, 7)}`)).toBe(true)
  expect(rows.filter(row => row.Fälligkeit).map(row => row['Belegfeld 1'])).toHaveLength(4)
  expect(rows.find(row => row['Belegfeld 2'] === cancelling.number)?.Buchungstext).toBe(`Storno ${cancelling.number}`)
  expect(content.toString('latin1')).not.toMatch(/Weiß/)

  // Accounting has everything: the next file only gets what happened since.
  expect((await download(id)).content.equals(content)).toBe(true)
  expect(await create()).toMatchObject({ code: 'office.failed.noPostings' })
  expect(await office.act({ kind: 'answer-batch', batchId: id, all: true })).toMatchObject({
    code: 'office.failed.accountingAnswer',
  })
  const text = buildCamt([
    { cents: 1_250, text: 'Konto erloschen', endToEndId: reference },
    { cents: 2_000, text: open.number, kind: 'DBIT' },
  ])
  const { fileId } = (await server.request(uploadOfficeFile, { token, file: new File([text], 'a.xml') })).body
  const { maybe } = (await office.act({ kind: 'mark-paid', fileId, preview: true })).result as {
    maybe: { key: string }[]
  }
  await office.act({ kind: 'mark-paid', fileId, confirm: maybe.map(({ key }) => key) })
  const next = Number((await create()).result.id)
  await close(next)
  expect(
    parse((await download(next)).content)
      .rows.map(shown)
      .sort(),
  ).toEqual([`12,50 S 1360 8100 ${reference}`, `20,00 H 1360 10000 ${open.number}`])
  expect((await auditPortal(db)).findings).toEqual([])
  await expect(db.execute(sql`delete from postings`)).rejects.toThrow('append-only')
})

test('a file ends with its month and fiscal year, and begins with the configured day', async () => {
  const invoice = await issueInvoice()
  const old = dateFromNow(-400)
  await invoice.pay(5, old)
  await invoice.pay(6, dateFromNow(-800))
  const year = dateFromNow(-800).slice(0, 4)
  const first = Number((await create()).result.id)
  expect(await close(first)).toMatchObject({ result: { count: 1, amount: 6 } })
  const { head, rows } = parse((await download(first)).content)
  expect([head[12], rows.length]).toEqual([`${year}0101`, 1])

  const month = Number((await create(old.slice(0, 7))).result.id)
  expect(await close(month)).toMatchObject({ result: { count: 1, amount: 5 } })
  expect(await create(old.slice(0, 7))).toMatchObject({ code: 'office.failed.noPostings' })

  await invoice.pay(7, old)
  const { accounting } = billing
  if (accounting === undefined) throw new Error('the test configuration has no accounting')
  accounting.from = dateFromNow(-30)
  // This invoice, and the one that replaces the cancelled one.
  expect(await create()).toMatchObject({ result: { count: 2, amount: 90 } })
  // May to April
  accounting.from = '2000-01-01'
  accounting.fiscalYearMonth = 5
  const shifted = Number((await create()).result.id)
  await close(shifted)
  expect(parse((await download(shifted)).content).head[12]).toMatch(/^20\d\d0501$/)
  delete billing.accounting
  expect(await create()).toMatchObject({ status: 'Failed', code: 'office.failed.accountingMissing' })
  billing.accounting = accounting
})
