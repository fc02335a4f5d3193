import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { deleteAccount } from '#contract/endpoints/accounts.ts'
import { getInboxFile, listMessages } from '#contract/endpoints/inbox.ts'
import { getOwnInvoice, listOwnMoney } from '#contract/endpoints/money.ts'
import { uploadOfficeFile } from '#contract/office/content.ts'
import {
  getBatch,
  getBatchFile,
  getInvoicePdf,
  getOfficeMoney,
  listBatches,
  listHeld,
  listInvoices,
} from '#contract/office/money.ts'
import { performAct } from '#contract/office/office.ts'
import { getLetter } from '#contract/office/people.ts'
import { listCourseRemainders } from '#server/features/money/repository.ts'
import { auditPortal } from '#server/operations/audit/audit.ts'
import { sql } from '#server/platform/db/client.ts'
import { mailFolderOf } from '#server/platform/outbox/mail-folder.ts'
import type { DueMail } from '#server/platform/outbox/outbox.ts'
import {
  dateFromNow,
  daysFromNow,
  insertBooking,
  insertDivision,
  insertRow,
  insertTick,
} from '#server/test/factories.ts'
import { openTestMailTransport } from '#server/test/mail-sender.ts'
import { insertInvoice, insertOwed, insertPastCourse, insertPlace } from '#server/test/money-scene.ts'
import { openTestOffice } from '#server/test/office.ts'
import { PASSWORD, passwordHash } from '#server/test/password.ts'
import { readPdfPages } from '#server/test/pdf.ts'

const { server, ...office } = await openTestOffice(['billing', 'bookings'])
const { db } = server
const { token } = office
const division = await insertDivision(db, { name: 'Werk; "Süd"' })

const idOf = (answer: { result: Record<string, unknown> }) => Number(answer.result.id)
const create = async (batchKind: 'payroll' | 'invoice') => idOf(await office.act({ kind: 'create-batch', batchKind }))
const close = (batchId: number) => office.act({ kind: 'close-batch', batchId })
const fileOf = async (id: number) => (await server.request(getBatchFile, { token, params: { id } })).body
const batchOf = async (id: number) => (await server.request(getBatch, { token, params: { id } })).body
const heldCauses = async () =>
  (await server.request(getOfficeMoney, { token, query: {} })).body.held.map(({ cause, count, amount }) => [
    cause,
    count,
    amount,
  ])
const stateOf = async (person: { token: string }) =>
  (await server.request(listOwnMoney, { token: person.token })).body.seasons[0]?.courses[0]?.state
const upload = async (text: string | Buffer<ArrayBuffer>) =>
  (await server.request(uploadOfficeFile, { token, file: new File([text], 'refused.csv') })).body.fileId

const known = { knownAt: new Date(), divisionId: division.id }

test('payroll: amounts on hold state the cause, closed batches are immutable, and returned lines are billed again', async () => {
  const people = {
    ready: await insertOwed(db, { ...known, personnelNumber: '00815' }),
    refund: await insertOwed(db, { ...known, personnelNumber: '=cmd' }, -1234),
    unverified: await insertOwed(db, { personnelNumber: '00816' }),
    noConsent: await insertOwed(db, { ...known, billingType: 2, personnelNumber: '00817' }),
    noAddress: await insertOwed(db, { billingType: 3, street: '' }),
  }
  // Their amounts add up to nothing: a line with a reference that is neither shown nor in the file.
  const { accountId } = await insertOwed(db, { ...known, personnelNumber: '00818' })
  await insertRow(db, 'ledger_entries', { accountId, kind: 'correction', cents: -4500 })
  expect(await heldCauses()).toEqual([
    ['unverified', 1, 45],
    ['consent', 1, 45],
    ['address', 1, 45],
  ])
  const held = async (cause: 'address' | 'consent', limit: string) =>
    (await server.request(listHeld, { token, query: { cause, limit } })).body
  expect(await held('address', '1')).toMatchObject({
    items: [{ webUserId: people.noAddress.id, cause: 'address', amount: 45 }],
    next: null,
  })
  const id = await create('payroll')
  expect(await batchOf(id)).toMatchObject({
    state: 'draft',
    count: 2,
    amount: 32.66,
    divisions: [{ name: 'Werk; "Süd"', count: 2, amount: 32.66 }],
  })
  const listed = (await server.request(listBatches, { token })).body.items
  expect(listed.find(batch => batch.id === id)).toMatchObject({ state: 'draft', count: 2, amount: 32.66 })
  expect(
    await office.act({ kind: 'accept-payer', webUserId: people.noConsent.id, reason: 'Telefonisch' }),
  ).toMatchObject({ status: 'Ok' })
  expect(await close(id)).toMatchObject({ status: 'Ok', result: { count: 3, amount: 77.66 } })
  const csv = Buffer.from(await fileOf(id))
  expect(csv.subarray(0, 3)).toEqual(Buffer.from('\uFEFF'))
  const rows: string[][] = parse(csv, { bom: true, delimiter: ';' })
  expect(rows.map(row => [row[0], row[1], row[3]])).toEqual([
    ['personnelNumber', 'division', 'amount'],
    ['00815', 'Werk; "Süd"', '45,00'],
    ["'=cmd", 'Werk; "Süd"', '-12,34'],
    ['00817', 'Werk; "Süd"', '45,00'],
    ['', '', '77,66'],
  ])
  expect(await close(id)).toMatchObject({ status: 'Failed' })
  await insertOwed(db, { ...known, personnelNumber: '00999' })
  expect(Buffer.from(await fileOf(id))).toEqual(csv)
  await expect(db.execute(sql`update batch_lines set cents = 1`)).rejects.toThrow('append-only')
  await expect(db.execute(sql`update batches set kind = 'invoice'`)).rejects.toThrow('append-only')
  expect(await stateOf(people.ready)).toBe('payroll')

  const { lines } = await batchOf(id)
  const reference = lines.find(({ webUserId }) => webUserId === people.ready.id)?.reference ?? ''
  const refuse = async (text: string) =>
    office.act({ kind: 'answer-batch', batchId: id, fileId: await upload(text), preview: true })
  expect(await refuse(`reference;reason\n${reference};x\n;Summe\n`)).toMatchObject({
    message: 'Zeile 3: Die Referenz fehlt.',
  })
  expect(await refuse(`reference;reason\n\n9-99999;x\n`)).toMatchObject({
    message: expect.stringMatching(/^Zeile 3: .*9-99999/),
  })
  expect(await refuse(`reference;reason;reason\n${reference};x;y\n`)).toMatchObject({ status: 'Failed' })
  expect(await refuse(`\uFEFFPersonalnummer\tReference\tReason\n815\t${reference}\tx, y\tz\n`)).toMatchObject({
    status: 'Ok',
    result: { returned: 1, unread: ['Personalnummer', '#4'] },
  })
  // Windows-1252, as payroll programs write it; a line may be refused for two reasons.
  const file = await upload(
    Buffer.from(`reference;reason\r\n${reference};"ungültig; seit Mai"\r\n${reference};Konto, zu\r\n`, 'latin1'),
  )
  expect(await office.act({ kind: 'answer-batch', batchId: id, fileId: file })).toMatchObject({
    result: { accepted: 2, returned: 1 },
  })
  expect((await batchOf(id)).lines.find(line => line.reference === reference)).toMatchObject({
    state: 'returned',
    why: 'ungültig; seit Mai; Konto, zu',
  })
  expect([await stateOf(people.ready), await stateOf(people.noConsent)]).toEqual(['held', 'paid'])
  expect(await heldCauses()).toContainEqual(['returned', 1, 45])
  // With another billing type, the returned amount is billed again.
  await db.execute(sql`update web_users set billing_type = 3 where id = ${people.ready.id}`)
  const invoices = await create('invoice')
  expect(await close(invoices)).toMatchObject({ status: 'Ok', result: { count: 1, amount: 45 } })
  expect(await stateOf(people.ready)).toBe('invoiced')
})

test('an invoice states the period of each course', async () => {
  const course = await insertPastCourse(db, 2)
  const person = await insertOwed(db, { billingType: 3 })
  await insertRow(db, 'ledger_entries', { accountId: person.accountId, courseId: course.id, kind: 'fee', cents: 900 })
  await close(await create('invoice'))
  const { items } = (await server.request(listInvoices, { token, query: {} })).body
  const { number = '' } = items.find(({ webUserId }) => webUserId === person.id) ?? {}
  const pdf = (await server.request(getInvoicePdf, { token, params: { file: `${number}.pdf` } })).body
  const german = (day: string) => day.split('-').toReversed().join('.')
  expect(readPdfPages(pdf).join(' ').replaceAll(/\s/g, '')).toContain(
    `${german(dateFromNow(-8))}–${german(dateFromNow(-1))}`,
  )
})

test('payroll deducts the amounts in the month chosen for the batch', async () => {
  await insertOwed(db, { ...known, personnelNumber: '00818' })
  const { result } = await office.act({ kind: 'create-batch', batchKind: 'payroll', period: '2027-02' })
  expect(await close(Number(result.id))).toMatchObject({ status: 'Ok' })
  expect(Buffer.from(await fileOf(Number(result.id))).toString()).toContain(';2027-02;')
})

test('payers who owe nothing are not counted, and get no invoice', async () => {
  const paying = await insertOwed(db, { billingType: 3 })
  const free = await insertOwed(db, { billingType: 3 })
  const goodwill = {
    kind: 'add-entry',
    webUserId: free.id,
    entryKind: 'goodwill',
    amount: -45,
    reason: 'Umzug',
  } as const
  expect(await office.act(goodwill)).toMatchObject({ status: 'Ok' })
  const id = await create('invoice')
  const counted = { count: 1, amount: 45, divisions: [{ count: 1, amount: 45 }] }
  expect(await batchOf(id)).toMatchObject({ state: 'draft', ...counted })
  expect(await close(id)).toMatchObject({ status: 'Ok', result: { count: 1, amount: 45 } })
  const closed = await batchOf(id)
  expect(closed).toMatchObject({ state: 'closed', count: 1, amount: 45 })
  expect(closed.lines.map(({ webUserId, amount }) => [webUserId, amount])).toEqual([[paying.id, 45]])
  const { items } = (await server.request(listInvoices, { token, query: {} })).body
  expect(items.filter(({ webUserId }) => webUserId === free.id)).toEqual([])
})

test('amounts on hold are those of the chosen season', async () => {
  const courses = [await insertPastCourse(db), await insertPastCourse(db)]
  const person = await insertOwed(db, { billingType: 3, city: '' })
  const heldIn = async (seasonId?: number) => {
    const query: Record<string, string> = seasonId === undefined ? {} : { seasonId: String(seasonId) }
    const { held } = (await server.request(getOfficeMoney, { token, query })).body
    const rows = (await server.request(listHeld, { token, query: { ...query, cause: 'address' } })).body.items
    return {
      sum: held.find(({ cause }) => cause === 'address')?.amount ?? 0,
      own: rows.find(({ webUserId }) => webUserId === person.id)?.amount ?? 0,
    }
  }
  const before = await heldIn()
  for (const [index, { id: courseId }] of courses.entries())
    await insertRow(db, 'ledger_entries', {
      accountId: person.accountId,
      courseId,
      kind: 'correction',
      cents: 1_000 * (index + 1),
    })
  expect(await heldIn(courses[0]?.seasonId)).toEqual({ sum: 10, own: 10 })
  expect(await heldIn(courses[1]?.seasonId)).toEqual({ sum: 20, own: 20 })
  expect(await heldIn()).toEqual({ sum: before.sum + 30, own: 75 })
  // What the seasons leave open is set off before it is billed: nothing of this person waits for an address.
  const { accountId } = person
  await insertRow(db, 'ledger_entries', { accountId, courseId: null, kind: 'correction', cents: -7_500 })
  expect(await heldIn(courses[1]?.seasonId)).toEqual({ sum: 0, own: 0 })
})

test('invoices: gapless numbers, a PDF with the sum, partial payments, and cancellation by a separate invoice', async () => {
  const [first, second] = [await insertOwed(db, { billingType: 3 }), await insertOwed(db, { billingType: 3 }, 1999)]
  await close(await create('invoice'))
  const list = async (query = {}) => (await server.request(listInvoices, { token, query })).body.items
  const unpaid = async () => (await list({ unpaid: 'true' })).map(invoice => invoice.number)
  const own = (await list()).filter(({ webUserId }) => webUserId === first.id || webUserId === second.id)
  expect(own).toMatchObject([{ amount: 45 }, { amount: 19.99 }])
  const all = (await list()).map(({ number }) => Number(number.slice(5)))
  expect(all).toEqual(all.map((_, index) => index + 1))
  const [{ number = '' } = {}, { number: other = '' } = {}] = own
  const pdf = (await server.request(getInvoicePdf, { token, params: { file: `${number}.pdf` } })).body
  const text = readPdfPages(pdf).join(' ')
  expect(text).toContain(number)
  expect(text).toMatch(/45,00/)

  const pay = (amount: number, values = {}) =>
    office.act({ kind: 'mark-paid', invoiceNumber: number, paidOn: dateFromNow(0), amount, ...values })
  expect(await pay(20)).toMatchObject({ status: 'Ok', result: { open: 25 } })
  expect(await pay(20)).toMatchObject({ status: 'Reason' })
  expect(await pay(5, { paidOn: dateFromNow(2) })).toMatchObject({ status: 'Failed', code: 'office.failed.paidAhead' })
  expect(await pay(25.01)).toMatchObject({ status: 'Failed' })
  expect(await office.act({ kind: 'cancel-invoice', invoiceNumber: number })).toMatchObject({ status: 'Failed' })
  expect(await pay(25)).toMatchObject({ status: 'Ok', result: { open: 0 } })
  expect(await stateOf(first)).toBe('paid')
  expect(await unpaid()).not.toContain(number)
  expect(await unpaid()).toContain(other)

  expect(await office.act({ kind: 'cancel-invoice', invoiceNumber: other })).toMatchObject({ status: 'Ok' })
  expect(await office.act({ kind: 'cancel-invoice', invoiceNumber: other })).toMatchObject({ status: 'Failed' })
  expect((await list()).filter(({ webUserId }) => webUserId === second.id)).toMatchObject([
    { state: 'cancelled', amount: 19.99 },
    { state: 'cancelling', amount: -19.99, cancels: other },
  ])
  expect(await stateOf(second)).toBe('settled')
  expect(await close(await create('invoice'))).toMatchObject({ result: { count: 1, amount: 19.99 } })
  expect(await stateOf(second)).toBe('invoiced')
})

test('payers receive their invoice by e-mail and in the inbox, or as a letter, and reminders by level', async () => {
  const byMail = await insertOwed(db, { billingType: 3, language: 'en' })
  const byPost = await insertOwed(db, { billingType: 3, email: `none ${randomUUID()}` })
  const gone = await insertOwed(db, { billingType: 3 })
  await db.execute(sql`
    update ledger_accounts set web_user_id = null, name = 'Kim Fort', street = 'Weg 9', zip = '38440', city = 'Celle',
      billing_type = 3 where id = ${gone.accountId}`)
  const id = await create('invoice')
  const done = await office.actAsPreviewed({ kind: 'close-batch', batchId: id })
  expect(done).toMatchObject({
    result: { count: 3, invoices: 3, undelivered: [{ name: 'Kim Fort' }], outdated: [] },
    consequences: { mails: 1, letters: 1, messages: 2 },
  })
  const listed = (await server.request(listInvoices, { token, query: { state: 'open', limit: '500' } })).body.items
  const numberOf = ({ id: webUserId }: { id: number }) =>
    listed.find(invoice => invoice.webUserId === webUserId)?.number ?? ''
  const undelivered = async () =>
    (await server.request(listInvoices, { token, query: { undelivered: 'true', limit: '500' } })).body.items
      .map(({ webUserId, delivery }) => [webUserId, delivery])
      .filter(([id]) => id === null || id === byMail.id || id === byPost.id)
  const sorted = (...rows: (string | number | null)[][]) => rows.map(String).sort()
  const waiting = [byMail.id, 'waiting']
  const unprinted = [byPost.id, 'letter']
  const orphaned = [null, 'none']
  expect((await undelivered()).map(String).sort()).toEqual(sorted(waiting, unprinted, orphaned))
  await db.execute(sql`update mails set due_at = 'infinity' where web_user_id = ${byMail.id} and kind = 'notice'`)
  expect((await undelivered()).map(String).sort()).toEqual(sorted([byMail.id, 'refused'], unprinted, orphaned))
  await db.execute(sql`update mails set sent_at = clock_timestamp() where web_user_id = ${byMail.id}`)
  await db.execute(sql`update letters set printed_at = clock_timestamp() where web_user_id = ${byPost.id}`)
  expect(await undelivered()).toEqual([orphaned])
  const pdf = (await server.request(getInvoicePdf, { token, params: { file: `${numberOf(byMail)}.pdf` } })).body
  const [item] = (await server.request(listMessages, { token: byMail.token })).body
  expect(item).toMatchObject({ title: `Invoice ${numberOf(byMail)}`, documentName: `${numberOf(byMail)}.pdf` })
  const inboxFile = await server.request(getInboxFile, { token: byMail.token, params: { id: item?.id ?? 0 } })
  expect(Buffer.from(inboxFile.body)).toEqual(Buffer.from(pdf))
  const own = (file: string) => server.request(getOwnInvoice, { token: byMail.token, params: { file } })
  expect(Buffer.from((await own(`${numberOf(byMail)}.pdf`)).body)).toEqual(Buffer.from(pdf))
  expect((await own(`${numberOf(byPost)}.pdf`)).status).toBe(404)
  expect((await server.request(listOwnMoney, { token: byMail.token })).body.invoices).toMatchObject([
    { number: numberOf(byMail), amount: 45, state: 'open' },
  ])
  const [mail] = await db.query<DueMail>(sql`
    select m.*, '' as name, m.created_at as "createdAt" from mails m where web_user_id = ${byMail.id} and kind = 'notice'`)
  if (!mail) throw new Error('no e-mail was queued')
  const transport = openTestMailTransport({ db, config: { ...server.context.config, smtpUrl: null } })
  expect(await transport.deliver(mail, new AbortController().signal, () => undefined)).toEqual({ verdict: 'sent' })
  const eml = join(mailFolderOf(server.context.config.dataDir), `${String(mail.id).padStart(8, '0')}.eml`)
  expect(await readFile(eml, 'utf8')).toContain(`filename=${numberOf(byMail)}.pdf`)
  transport.close()
  // The letter to a person without an e-mail address is the invoice itself.
  const [letter] = await db.query<{ id: number }>(sql`select id from letters where web_user_id = ${byPost.id}`)
  const printed = (await server.request(getLetter, { token, params: { id: letter?.id ?? 0 } })).body
  expect(readPdfPages(printed).join(' ')).toContain(numberOf(byPost))

  const remind = (values = {}) => office.act({ kind: 'remind-invoices', invoiceNumbers: [numberOf(byMail)], ...values })
  expect(await remind({ dueOn: dateFromNow(-1) })).toMatchObject({ status: 'Failed' })
  expect(await remind()).toMatchObject({ status: 'Ok', consequences: { mails: 1 } })
  expect(await remind({ level: 2, dueOn: dateFromNow(7) })).toMatchObject({ result: { dueOn: dateFromNow(7) } })
  const atLevel = async (level: string) =>
    (await server.request(listInvoices, { token, query: { state: 'open', level } })).body.items
  expect(await atLevel('2')).toMatchObject([{ number: numberOf(byMail), reminders: 2, remindedOn: dateFromNow(0) }])
  expect((await server.request(listMessages, { token: byMail.token })).body[0]).toMatchObject({
    title: `Second reminder: invoice ${numberOf(byMail)}`,
    documentName: `${numberOf(byMail)}.pdf`,
  })
})

test('nobody is reminded of an invoice that a credit to be set off covers, and others are of what it leaves', async () => {
  const credit = async (cents: number, billingType = 3) => {
    const invoice = await insertInvoice(db)
    await db.execute(sql`update web_users set billing_type = ${billingType} where id = ${invoice.id}`)
    await insertRow(db, 'ledger_entries', { accountId: invoice.accountId, kind: 'goodwill', cents })
    return invoice
  }
  const remind = (...people: { number: string }[]) =>
    office.act({ kind: 'remind-invoices', invoiceNumbers: people.map(({ number }) => number) })
  const remindedOf = async (person: { token: string }) =>
    (await server.request(listMessages, { token: person.token })).body[0]?.text ?? ''
  const [covered, alsoCovered] = [await credit(-4500), await credit(-4500)]
  expect(await remind(covered, alsoCovered)).toMatchObject({
    status: 'Failed',
    message: expect.stringContaining(`${covered.number}, ${alsoCovered.number}`),
    consequences: { mails: 0 },
  })
  // A larger credit is set off first, and a refund run cannot bill that of a person who is billed by payroll.
  const [partly, larger, held] = [await credit(-100), await credit(-5000), await credit(-100, 1)]
  expect(await remind(partly, held, larger, covered)).toMatchObject({
    status: 'Ok',
    consequences: { mails: 2 },
    result: { credited: [larger.number, covered.number] },
  })
  expect(await remindedOf(partly)).toMatch(/44[.,]00/)
  expect(await remindedOf(held)).toMatch(/45[.,]00/)
  const { objects } = await db.one<{ objects: Record<string, unknown> }>(
    sql`select line::json -> 'objects' as objects from office_record order by number desc limit 1`,
  )
  expect(objects).toEqual({ invoiceNumbers: [partly, held].map(({ number }) => number).join(' ') })
})

test('an invoice leaves out courses whose settlement is outdated, and names them', async () => {
  const course = await insertPastCourse(db)
  const person = await insertPlace(db, course, 0, { person: { billingType: 3 } })
  await office.act({ kind: 'settle-courses', courseIds: [course.id] })
  await db.execute(sql`update attendances set is_present = true where web_user_id = ${person.id}`)
  const other = await insertOwed(db, { billingType: 3 })
  const id = await create('invoice')
  const outdated = [{ courseId: course.id, number: course.number }]
  const draft = await batchOf(id)
  expect(draft).toMatchObject({ outdated, count: 1, lines: [{ webUserId: other.id }] })
  expect(await close(id)).toMatchObject({ result: { count: 1, outdated } })
  expect(await stateOf(person)).toBe('settled')
})

test('batches are numbered without gaps, whatever was previewed', async () => {
  await insertOwed(db, { ...known, personnelNumber: '00820' })
  const first = await create('payroll')
  const preview = await office.act({ kind: 'create-batch', batchKind: 'payroll', preview: true })
  expect(preview.status).toBe('Ok')
  expect(await create('payroll')).toBe(first + 1)
})

test('the totals of a season include only its own batches and payments', async () => {
  const course = await insertPastCourse(db)
  for (const billingType of [1, 3])
    await insertPlace(db, course, 0, { person: { ...known, billingType, personnelNumber: `0200${billingType}` } })
  const totals = async () =>
    (await server.request(getOfficeMoney, { token, query: { seasonId: String(course.seasonId) } })).body.totals
  await office.act({ kind: 'settle-courses', courseIds: [course.id] })
  expect(await totals()).toMatchObject({ charged: 90, payroll: 0, invoiced: 0, paid: 0, open: 90 })
  const payroll = await create('payroll')
  await close(payroll)
  await close(await create('invoice'))
  expect(await totals()).toMatchObject({ payroll: 45, invoiced: 45, paid: 0, open: 90 })
  await office.act({ kind: 'answer-batch', batchId: payroll, all: true })
  const invoices = (await server.request(listInvoices, { token, query: { unpaid: 'true' } })).body.items
  const { number: invoiceNumber = '' } = invoices.at(-1) ?? {}
  await office.act({ kind: 'mark-paid', invoiceNumber, paidOn: dateFromNow(0), amount: 20 })
  expect(await totals()).toMatchObject({ payroll: 45, invoiced: 45, paid: 65, open: 25 })
})

test('the parts of a partial payment, by season and by course, add up to it', async () => {
  const first = await insertPastCourse(db)
  const others = [await insertPastCourse(db), await insertPastCourse(db)]
  const courses = [first, ...others]
  const person = { ...known, billingType: 3, street: 'Weg 1', zip: '38440', city: 'Wolfsburg' }
  const place = await insertPlace(db, first, 0, { person })
  for (const { id, lessonIds } of others) {
    await insertBooking(db, id, place.id, { priceCents: 4500, promisedLessons: 3, bookedAt: daysFromNow(-200) })
    for (const courseDateId of lessonIds)
      await insertTick(db, { courseDateId, webUserId: place.id, isPresent: false, recordedBy: null })
  }
  const courseIds = courses.map(({ id }) => id)
  await office.act({ kind: 'settle-courses', courseIds })
  await close(await create('invoice'))
  const unpaid = (await server.request(listInvoices, { token, query: { unpaid: 'true' } })).body.items
  const { number: invoiceNumber = '', amount } = unpaid.find(({ webUserId }) => webUserId === place.id) ?? {}
  expect(amount).toBe(135)
  const paidOf = async ({ seasonId }: { seasonId: number }) =>
    (await server.request(getOfficeMoney, { token, query: { seasonId: String(seasonId) } })).body.totals.paid
  let paid = 0
  for (const cents of [1001, 2, 12496, 1]) {
    await office.act({ kind: 'mark-paid', invoiceNumber, paidOn: dateFromNow(0), amount: cents / 100 })
    paid += cents
    const bySeason = await Promise.all(courses.map(paidOf))
    const remainders = (await listCourseRemainders(db, courseIds)).toSorted((a, b) => a.courseId - b.courseId)
    const byCourse = remainders.map(({ invoiceCents }) => 4500 - invoiceCents)
    expect(bySeason.map(euros => Math.round(euros * 100))).toEqual(byCourse)
    expect(byCourse.reduce((sum, cents) => sum + cents)).toBe(paid)
    for (const part of byCourse) expect(Math.abs(part - paid / 3)).toBeLessThan(1)
  }
})

test('concurrent closings of two drafts succeed once each, with each entry in one batch', async () => {
  for (let count = 0; count < 5; count++) await insertOwed(db, { ...known, personnelNumber: `0100${count}` })
  const drafts = [await create('payroll'), await create('payroll')]
  const sent = [...drafts, ...drafts].map(batchId =>
    server.request(performAct, { token, body: { actId: randomUUID(), kind: 'close-batch', batchId } }),
  )
  const states = (await Promise.all(sent)).map(({ body }) => body.status)
  expect(states.filter(state => state === 'Ok')).toHaveLength(2)
  const twice = await db.query(sql`
    select entry_id from batch_entries where not is_released group by entry_id having count(*) > 1`)
  expect(twice).toEqual([])
})

test('amounts of a deleted account are still deducted as the person and the holder of the number had agreed', async () => {
  const secret = { ...known, passwordHash }
  const people = [
    await insertOwed(db, { ...secret, familyName: 'Fremdzahler', billingType: 2, personnelNumber: '00917' }),
    await insertOwed(db, { ...secret, familyName: 'Ohnewahl', billingType: null, personnelNumber: '00918' }),
  ]
  const [foreign] = people
  await office.act({ kind: 'accept-payer', webUserId: foreign?.id ?? 0, reason: 'Telefonisch' })
  const batchId = await create('payroll')
  const numbers = async () => {
    const { lines } = await batchOf(batchId)
    return lines.map(({ name }) => name).filter(name => /Fremdzahler|Ohnewahl/.test(name))
  }
  const before = await numbers()
  expect(before).toHaveLength(2)
  for (const { token } of people)
    expect((await server.request(deleteAccount, { token, body: { password: PASSWORD } })).body.status).toBe('Ok')
  expect(await numbers()).toEqual(before)
})

test('a draft that another one has emptied is closed without an amount', async () => {
  for (const batchKind of ['payroll', 'invoice'] as const) {
    await insertOwed(db, { ...known, billingType: batchKind === 'payroll' ? 1 : 3, personnelNumber: '00921' })
    const [first, second] = [await create(batchKind), await create(batchKind)]
    expect(await close(first)).toMatchObject({ status: 'Ok' })
    expect(await close(second)).toMatchObject({ status: 'Ok', result: { count: 0, amount: 0 } })
    expect(await batchOf(second)).toMatchObject({ state: 'answered', lines: [] })
  }
  expect((await auditPortal(db)).findings.filter(finding => finding.includes('batch'))).toEqual([])
})
