import { expect, test } from 'vitest'
import { uploadOfficeFile } from '#contract/office/content.ts'
import { listInvoices } from '#contract/office/money.ts'
import { sql } from '#server/platform/db/client.ts'
import { insertInvoice } from '#server/test/money-scene.ts'
import { openTestOffice } from '#server/test/office.ts'
import { buildCamt } from '#server/test/statements.ts'

const { server, ...office } = await openTestOffice(['billing'])
const { db } = server

const upload = async (name: string, text: string) =>
  (await server.request(uploadOfficeFile, { token: office.token, file: new File([text], name) })).body.fileId
const take = async (name: string, text: string, preview = false) =>
  office.act({ kind: 'mark-paid', fileId: await upload(name, text), preview })
const paidOf = async (number: string) =>
  (await server.request(listInvoices, { token: office.token, query: {} })).body.items.find(one => one.number === number)
    ?.paid
const countPayments = async () =>
  (await db.one<{ count: number }>(sql`select count(*)::int as count from payments`)).count

test('a bank statement pays the invoices named in its transactions, and importing it again pays nothing', async () => {
  const [first, second, third] = [await insertInvoice(db), await insertInvoice(db), await insertInvoice(db)]
  const statement = buildCamt([
    { cents: 4_500, text: `Kurs ${first.number} danke` },
    { cents: 2_000, text: second.number.replace('-', ' ') },
    { cents: 2_000, text: second.number.replace('-', ' ') },
    { cents: 4_501, text: third.number },
    { cents: 4_500, text: `${first.number} und ${third.number}` },
    { cents: 100, text: 'Miete' },
    { cents: 100, text: '2001-999999' },
    { cents: 4_500, text: third.number, reversal: true },
  ])
  const unmatched = ['tooMuch', 'severalNumbers', 'noNumber', 'unknown', 'reversal']
  const preview = await take('november.xml', statement, true)
  expect(await countPayments()).toBe(0)
  const answer = await take('november.xml', statement)
  expect(answer).toMatchObject({ status: 'Ok', result: preview.result })
  expect(answer.result).toMatchObject({ paid: 3, amount: 85, repeated: 0 })
  expect((answer.result.unmatched as { why: string }[]).map(({ why }) => why)).toEqual(unmatched)
  expect([await paidOf(first.number), await paidOf(second.number), await paidOf(third.number)]).toEqual([45, 40, 0])

  expect((await take('again.xml', statement)).result).toMatchObject({ paid: 0, amount: 0, repeated: 3 })
  // A longer statement repeats the lines of a shorter one.
  const longer = statement.replace(
    '</Stmt>',
    `${buildCamt([{ cents: 500, text: second.number }]).match(/<Ntry>[\s\S]*<\/Ntry>/)?.[0]}</Stmt>`,
  )
  expect((await take('longer.xml', longer)).result).toMatchObject({ paid: 1, amount: 5, repeated: 3 })
  expect(await countPayments()).toBe(4)
  await expect(db.execute(sql`update bank_lines set cents = 1`)).rejects.toThrow('append-only')
})

test('a CSV statement imported concurrently by two users is booked once', async () => {
  const invoice = await insertInvoice(db)
  const csv = `bookedOn;amount;text\n2026-11-24;20,00;${invoice.number}\n`
  const answers = await Promise.all([take('a.csv', csv), take('b.csv', csv)])
  expect(answers.map(({ result }) => result.paid).sort()).toEqual([0, 1])
  expect(await paidOf(invoice.number)).toBe(20)
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
