import { expect, test } from 'vitest'
import { listOwnMoney, saveIban } from '#contract/endpoints/money.ts'
import { uploadOfficeFile } from '#contract/office/content.ts'
import { getBatch, getBatchFile, getOfficeMoney, listBatches, listInvoices } from '#contract/office/money.ts'
import { auditPortal } from '#server/operations/audit/audit.ts'
import { sql } from '#server/platform/db/client.ts'
import { insertRow } from '#server/test/factories.ts'
import { insertOwed } from '#server/test/money-scene.ts'
import { openTestDesk, openTestOffice } from '#server/test/office.ts'

const IBAN = 'DE75 5121 0800 1245 1261 99'

const { server, ...office } = await openTestOffice(['billing'])
const { db } = server
const { token } = office

type Person = Awaited<ReturnType<typeof insertOwed>>
/** A person with an invoice of 45 € and a credit, which is paid out only if the invoice is paid. */
async function insertRefund(
  cents: number,
  {
    isPaid,
    name = { givenName: 'Jörg', familyName: '=Weiß & Co' },
  }: { isPaid: boolean; name?: Record<string, string> },
) {
  const person = await insertOwed(db, { billingType: 3, ...name })
  const batch = await office.act({ kind: 'create-batch', batchKind: 'invoice' })
  await office.act({ kind: 'close-batch', batchId: Number(batch.result.id) })
  const { number } = await db.one<{ number: string }>(
    sql`select number from invoices where account_id = ${person.accountId}`,
  )
  if (isPaid) await office.act({ kind: 'mark-paid', invoiceNumber: number, paidOn: '2026-11-24', amount: 45 })
  await insertRow(db, 'ledger_entries', { accountId: person.accountId, kind: 'lessons-cancelled', cents: 0 - cents })
  return { ...person, number }
}
const create = async () => await office.act({ kind: 'create-batch', batchKind: 'refund' })
const tell = async (person: Person, iban = IBAN) =>
  (await server.request(saveIban, { token: person.token, body: { iban } })).body.status
const stateOf = async (person: Person) => (await server.request(listOwnMoney, { token: person.token })).body
const fileOf = async (id: number, format: 'csv' | 'xml') => {
  const { status, body } = await server.request(getBatchFile, { token, params: { id }, query: { format } })
  return status === 200 ? Buffer.from(body).toString() : status
}

test.each(['payroll', 'invoice', 'refund'] as const)(
  'a %s run with nothing to bill is not created',
  async batchKind => {
    expect(await office.act({ kind: 'create-batch', batchKind })).toMatchObject({
      status: 'Failed',
      code: 'office.failed.emptyBatch',
    })
  },
)

test('a refund is set off against unpaid invoices or paid out to a requested IBAN, which is deleted after the export', async () => {
  const owing = await insertRefund(1_000, { isPaid: false, name: { givenName: '', familyName: '=cmd' } })
  const paid = await insertRefund(1_250, { isPaid: true })
  expect(await stateOf(paid)).toMatchObject({ iban: '', seasons: [{ courses: [{ state: 'held', cause: 'iban' }] }] })
  const draft = await create()
  expect(draft).toMatchObject({ status: 'Ok', result: { count: 1, amount: -10 } })
  expect(draft.consequences.told).toMatchObject([{ id: paid.id }])
  expect(await tell(owing)).toBe('Failed')
  expect((await server.request(saveIban, { token: paid.token, body: { iban: 'DE75512108001245126198' } })).status).toBe(
    400,
  )
  expect(await tell(paid)).toBe('Ok')
  expect((await stateOf(paid)).iban).toBe('DE75 … 6199')

  const id = Number(draft.result.id)
  const closed = await office.actAsPreviewed({ kind: 'close-batch', batchId: id })
  expect(closed).toMatchObject({ status: 'Ok', result: { count: 2, amount: -22.5 } })
  expect(closed.consequences.told.map(({ id }) => id).sort()).toEqual([owing.id, paid.id].sort())
  const [order, csv] = [String(await fileOf(id, 'xml')), String(await fileOf(id, 'csv'))]
  expect(order.match(/<IBAN>DE75512108001245126199<\/IBAN>/g)).toHaveLength(1)
  expect(order).toContain('<NbOfTxs>1</NbOfTxs><CtrlSum>12.50</CtrlSum>')
  expect(order).toContain('<InstdAmt Ccy="EUR">12.50</InstdAmt>')
  expect(order).toContain('<Nm>Joerg Weiss Co</Nm>')
  expect(csv).toContain(`;'=cmd;10,00;${owing.number}\r\n`)
  expect(csv).not.toContain('DE75')
  expect(await fileOf(id, 'xml')).toBe(order)
  expect((await stateOf(paid)).iban).toBe('')
  const { items } = (await server.request(listInvoices, { token, query: {} })).body
  expect(items.find(({ number }) => number === owing.number)).toMatchObject({ paid: 10, state: 'open' })

  expect((await server.request(getBatch, { token, params: { id } })).body).toMatchObject({
    state: 'closed',
    lines: [{ state: 'accepted' }, { state: 'sent' }],
  })
  expect(await office.act({ kind: 'answer-batch', batchId: id, all: true })).toMatchObject({ status: 'Ok' })
  expect(await fileOf(id, 'xml')).toBe(404)
  expect(await fileOf(id, 'csv')).toBe(csv)
  const { totals } = (await server.request(getOfficeMoney, { token, query: {} })).body
  // Of 67.50 €, 32.50 € are paid: 45 less 12.50. The set-off is neither paid nor refunded.
  expect(totals).toMatchObject({ charged: 90, refunded: 22.5, paid: 32.5, open: 35 })
  expect((await auditPortal(db)).findings).toEqual([])
})

test('a credit larger than the unpaid invoices pays them without an IBAN, and only the rest is paid out', async () => {
  const bill = async ({ accountId }: Person, cents: number) => {
    if (cents !== 4_500) await insertRow(db, 'ledger_entries', { accountId, kind: 'fee', cents })
    const { result } = await office.act({ kind: 'create-batch', batchKind: 'invoice' })
    await office.act({ kind: 'close-batch', batchId: Number(result.id) })
    return (
      await db.one<{ number: string }>(sql`
        select number from invoices where account_id = ${accountId} order by number desc limit 1`)
    ).number
  }
  /** A person with an unpaid invoice of 45 € and a credit of 60 € for one that is paid. */
  const insertCreditor = async () => {
    const person = await insertOwed(db, { billingType: 3 })
    const unpaid = await bill(person, 4_500)
    const paid = await bill(person, 6_000)
    await office.act({ kind: 'mark-paid', invoiceNumber: paid, paidOn: '2026-11-24', amount: 60 })
    await insertRow(db, 'ledger_entries', { accountId: person.accountId, kind: 'goodwill', cents: -6_000 })
    return { ...person, unpaid }
  }
  const close = async (id: unknown) => office.actAsPreviewed({ kind: 'close-batch', batchId: Number(id) })
  const held = async () => (await server.request(getOfficeMoney, { token, query: {} })).body.held

  const person = await insertCreditor()
  expect(await office.act({ kind: 'remind-invoices', invoiceNumbers: [person.unpaid] })).toMatchObject({
    code: 'office.failed.creditFirst',
  })
  expect(await held()).toContainEqual({ cause: 'iban', count: 1, amount: -15 })
  const draft = await create()
  expect(draft).toMatchObject({ result: { count: 1, amount: -45 } })
  expect(draft.consequences.told.map(({ id }) => id)).toContain(person.id)
  expect(await close(draft.result.id)).toMatchObject({ result: { count: 1, amount: -45 } })
  expect(String(await fileOf(Number(draft.result.id), 'csv'))).toContain(`;45,00;${person.unpaid}\r\n`)
  expect(await fileOf(Number(draft.result.id), 'xml')).toBe(404)
  expect(await held()).toContainEqual({ cause: 'iban', count: 1, amount: -15 })
  expect(await stateOf(person)).toMatchObject({
    balance: 45,
    seasons: [{ courses: [{ state: 'held', cause: 'iban' }] }],
  })
  expect(await tell(person)).toBe('Ok')
  const rest = await create()
  expect(await close(rest.result.id)).toMatchObject({ result: { count: 1, amount: -15 } })
  expect(String(await fileOf(Number(rest.result.id), 'xml'))).toContain('<CtrlSum>15.00</CtrlSum>')

  const known = await insertCreditor()
  expect(await tell(known)).toBe('Ok')
  const both = await create()
  expect(both).toMatchObject({ result: { count: 1, amount: -60 } })
  expect(await close(both.result.id)).toMatchObject({ result: { count: 1, amount: -60 } })
  const batches = (await server.request(listBatches, { token, query: {} })).body.items
  expect(batches.find(({ id }) => id === both.result.id)).toMatchObject({ count: 1, amount: -60 })
  expect(String(await fileOf(Number(both.result.id), 'xml'))).toContain('<CtrlSum>15.00</CtrlSum>')
  for (const batchId of [rest.result.id, both.result.id])
    await office.act({ kind: 'answer-batch', batchId: Number(batchId), all: true })
  for (const { id, accountId } of [person, known]) {
    const { items } = (await server.request(listInvoices, { token, query: {} })).body
    expect(items.filter(({ webUserId }) => webUserId === id).map(({ state }) => state)).toEqual(['paid', 'paid'])
    expect(
      await db.query(sql`
        select from ledger_entries e where account_id = ${accountId} and not exists (
          select from batch_entries b where b.entry_id = e.id)`),
    ).toEqual([])
  }
  expect((await auditPortal(db)).findings).toEqual([])
})

test('the entries that divide a credit of merged people belong to the account that has it', async () => {
  const person = await insertRefund(100, { isPaid: false })
  const merged = await insertOwed(db, { billingType: 3 }, -6_000)
  await db.execute(sql`update ledger_accounts set web_user_id = ${person.id} where id = ${merged.accountId}`)
  const { result } = await create()
  expect(await office.act({ kind: 'close-batch', batchId: Number(result.id) })).toMatchObject({ status: 'Ok' })
  expect(
    await db.query(sql`
      select account_id as "accountId", cents from ledger_entries
      where account_id in (${person.accountId}, ${merged.accountId}) order by id desc limit 2`),
  ).toEqual([
    { accountId: merged.accountId, cents: -1_600 },
    { accountId: merged.accountId, cents: 1_600 },
  ])
})

test('a returned transfer requires a new IBAN, and a batch of set-offs requires no bank response', async () => {
  const person = await insertRefund(500, { isPaid: true })
  await tell(person)
  const id = Number((await create()).result.id)
  await office.act({ kind: 'close-batch', batchId: id })
  const { lines } = (await server.request(getBatch, { token, params: { id } })).body
  const file = new File([`reference;reason\n${lines[0]?.reference};Konto erloschen\n`], 'returned.csv')
  const { fileId } = (await server.request(uploadOfficeFile, { token, file })).body
  expect(await office.act({ kind: 'answer-batch', batchId: id, fileId })).toMatchObject({ result: { returned: 1 } })
  expect(await stateOf(person)).toMatchObject({ seasons: [{ courses: [{ state: 'held', cause: 'iban' }] }] })

  const owing = await insertRefund(500, { isPaid: false })
  const setOff = Number((await create()).result.id)
  expect(await office.act({ kind: 'close-batch', batchId: setOff })).toMatchObject({ result: { count: 1, amount: -5 } })
  expect((await server.request(getBatch, { token, params: { id: setOff } })).body.state).toBe('answered')
  expect(await fileOf(setOff, 'xml')).toBe(404)
  expect(await stateOf(owing)).toMatchObject({ balance: 40 })
  await expect(db.execute(sql`delete from batch_files`)).rejects.toThrow('append-only')
})

test('names are transliterated for the bank, and an unwritable name or unreachable account is put on hold', async () => {
  const olena = await insertRefund(300, { isPaid: true, name: { givenName: 'Олена', familyName: 'Yıldız' } })
  const wang = await insertRefund(200, { isPaid: true, name: { givenName: '小明', familyName: '王' } })
  expect(
    (await server.request(saveIban, { token: olena.token, body: { iban: 'TR330006100519786457841326' } })).body,
  ).toMatchObject({
    status: 'Failed',
    code: 'money.ibanOutsideSepa',
  })
  expect(await tell(olena)).toBe('Ok')
  expect(await tell(wang)).toBe('Ok')
  expect(await stateOf(wang)).toMatchObject({ seasons: [{ courses: [{ state: 'held', cause: 'payeeName' }] }] })
  const id = Number((await create()).result.id)
  expect(await office.act({ kind: 'close-batch', batchId: id })).toMatchObject({ result: { count: 1, amount: -3 } })
  expect(String(await fileOf(id, 'xml')).match(/(?<=<Cdtr><Nm>).*(?=<\/Nm>)/g)).toEqual(['Olena Yildiz'])
})

test('another IBAN needs a recent login or the password, is told by e-mail, and is not used by a run made before', async () => {
  const person = await insertRefund(1_100, { isPaid: true })
  expect(await tell(person)).toBe('Ok')
  const mails = async () =>
    (
      await server.db.query<{ payload: object }>(sql`
        select payload from mails where web_user_id = ${person.id} and kind = 'iban-changed' order by id`)
    ).map(({ payload }) => payload)
  expect(await mails()).toEqual([{ lastDigits: '6199' }])
  expect(await tell(person)).toBe('Ok')
  expect(await mails()).toHaveLength(1)
  const draft = await create()
  expect(draft).toMatchObject({ status: 'Ok', result: { count: 1 } })

  await server.db.execute(
    sql`update sessions set created_at = created_at - interval '2 hours' where web_user_id = ${person.id}`,
  )
  const other = 'DE89370400440532013000'
  expect(await tell(person, other)).toBe('WrongPWorUser')
  const change = (password: string) =>
    server.request(saveIban, { token: person.token, body: { iban: other, password } })
  expect((await change('Wrong-Password-1')).body.status).toBe('WrongPWorUser')
  expect((await stateOf(person)).iban).toBe('DE75 … 6199')
  await server.db.execute(sql`update sessions set created_at = clock_timestamp() where web_user_id = ${person.id}`)
  expect(await tell(person, other)).toBe('Ok')
  expect(await mails()).toEqual([{ lastDigits: '6199' }, { lastDigits: '3000' }])

  const [old, next] = [Number(draft.result.id), Number((await create()).result.id)]
  expect(await office.act({ kind: 'close-batch', batchId: old })).toMatchObject({ status: 'Ok', result: { count: 0 } })
  expect(await office.act({ kind: 'close-batch', batchId: next })).toMatchObject({ status: 'Ok', result: { count: 1 } })
  expect(String(await fileOf(next, 'xml'))).toContain('<IBAN>DE89370400440532013000</IBAN>')
})

test('nobody closes a run with their own refund', async () => {
  await db.execute(sql`
    update web_users set given_name = 'Kim', family_name = 'Muster', street = 'Weg 1', zip = '38440', city = 'Wolfsburg', billing_type = 3
    where id = ${office.id}`)
  const { id: accountId } = await insertRow<{ id: number }>(db, 'ledger_accounts', { webUserId: office.id })
  await insertRow(db, 'ledger_entries', { accountId, kind: 'goodwill', cents: -700 })
  await insertRow(db, 'payout_accounts', { webUserId: office.id, iban: IBAN.replaceAll(' ', '') })
  const draft = await create()
  const close = { kind: 'close-batch', batchId: Number(draft.result.id) } as const
  expect(await office.act(close)).toMatchObject({ status: 'Failed', code: 'office.failed.ownMoney' })
  const colleague = await openTestDesk(server, ['billing'])
  expect(await colleague.act(close)).toMatchObject({ status: 'Ok', result: { count: 1, amount: -7 } })
})

test('a run with nobody but people without an IBAN can be closed, and is not created for deleted accounts', async () => {
  const person = await insertRefund(2_100, { isPaid: true })
  const draft = await create()
  expect(draft).toMatchObject({ status: 'Ok', result: { count: 0 } })
  expect(draft.consequences.told.map(({ id }) => id)).toContain(person.id)
  expect(await office.actAsPreviewed({ kind: 'close-batch', batchId: Number(draft.result.id) })).toMatchObject({
    status: 'Ok',
    result: { count: 0, amount: 0 },
  })
  await db.execute(sql`update ledger_accounts set web_user_id = null, name = 'Ada Weber', billing_type = 3`)
  expect(await create()).toMatchObject({ status: 'Failed', code: 'office.failed.emptyBatch' })
})

test('an invoice partly set off is not cancelled, but goodwill for the rest is set off as well', async () => {
  const { id: webUserId, number } = await insertRefund(1_000, { isPaid: false })
  const setOff = async () => office.act({ kind: 'close-batch', batchId: Number((await create()).result.id) })
  const invoice = async () =>
    (await server.request(listInvoices, { token, query: {} })).body.items.find(one => one.number === number)
  expect(await setOff()).toMatchObject({ status: 'Ok' })
  expect(await invoice()).toMatchObject({ paid: 10, state: 'open' })

  const refused = await office.act({ kind: 'cancel-invoice', invoiceNumber: number })
  expect(refused).toMatchObject({ status: 'Failed', code: 'office.failed.invoicePaid' })
  expect(refused.message).toContain('10,00\u00a0€ gezahlt oder verrechnet')
  expect(refused.message).toContain('35,00\u00a0€')
  const goodwill = { kind: 'add-entry', entryKind: 'goodwill', webUserId, amount: 35, reason: 'Kulanz' } as const
  expect(await office.act(goodwill)).toMatchObject({ status: 'Ok' })
  expect(await setOff()).toMatchObject({ status: 'Ok' })
  expect(await invoice()).toMatchObject({ paid: 45, state: 'paid' })
})
