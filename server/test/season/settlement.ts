import { buffer } from 'node:stream/consumers'
import { parse } from 'csv-parse/sync'
import { compactVerify, createLocalJWKSet } from 'jose'
import { expect as hardExpect, test } from 'vitest'
import { fromBufferPromise } from 'yauzl'
import { completeParticipation } from '#contract/endpoints/attendance.ts'
import { getCertificate, getCertificateKeys } from '#contract/endpoints/certificates.ts'
import { getInboxFile, listMessages } from '#contract/endpoints/inbox.ts'
import { addProof, listOwnMoney, listOwnProofs } from '#contract/endpoints/money.ts'
import { uploadOfficeFile } from '#contract/office/content.ts'
import { getBatchFile, getOfficeMoney, listInvoices, listLedger, listOfficeProofs } from '#contract/office/money.ts'
import { entriesOf } from '#contract/records.ts'
import { readPdfObjects, readPdfPages } from '../pdf.ts'
import { buildCamt } from '../statements.ts'
import {
  AUTUMN_INVOICES,
  AUTUMN_PAYROLL,
  AUTUMN_TOTALS,
  CERTIFICATE,
  COSTS,
  INVOICES,
  JANUARY_INVOICES,
  LEDGER,
  SPRING_INVOICES,
  SPRING_PAYROLL,
} from './expected-money.ts'
import { HELD, inYear, simulateUntil } from './lessons.ts'
import { languageOf, type PersonName } from './programme.ts'
import type { Season } from './season.ts'

/** Reads the whole ledger from the desk: amounts in euros by kind, for each person in each course. */
async function readLedger(season: Season) {
  const token = await season.tokenOf('desk')
  const entries = new Map<string, Record<string, number>>()
  let after = ''
  for (;;) {
    const { items, next } = await season.call(listLedger, { token, query: { limit: '50', ...(after && { after }) } })
    for (const { number, name, kind, amount } of items) {
      const place = `${number} ${name.split(' ')[0]?.toLowerCase()}`
      const sums = entries.get(place) ?? {}
      entries.set(place, { ...sums, [kind]: Math.round(((sums[kind] ?? 0) + amount) * 100) / 100 })
    }
    if (next === null) return Object.fromEntries(entries)
    after = next
  }
}

const fileOf = async (season: Season, batchId: number) =>
  Buffer.from(await season.call(getBatchFile, { params: { id: batchId }, token: await season.tokenOf('desk') }))

/**
 * Reads a payroll file: its rows by personnel number without references, with the header first and the sum last, and
 * its references.
 */
async function readPayroll(season: Season, batchId: number) {
  const rows: string[][] = parse(await fileOf(season, batchId), { bom: true, delimiter: ';' })
  const [header = [], ...lines] = rows
  const sum = lines.pop() ?? []
  const withoutReference = (row: string[]) => row.slice(0, -1)
  return {
    rows: [header, ...lines.sort(([a = ''], [b = '']) => a.localeCompare(b)), sum].map(withoutReference),
    references: new Map(lines.map(row => [row[0], row.at(-1) ?? ''])),
  }
}

/** Reads the invoices of a batch: number and text by person. */
async function readInvoices(season: Season, batchId: number) {
  const zip = await fromBufferPromise(await fileOf(season, batchId), { lazyEntries: true })
  const invoices: Record<string, { number: string; text: string }> = {}
  for await (const entry of zip.eachEntry()) {
    const text = readPdfPages(await buffer(await zip.openReadStreamPromise(entry))).join(' ')
    const [, name = ''] = /(\w+) Muster/.exec(text) ?? []
    invoices[name.toLowerCase()] = { number: entry.fileName.replace('.pdf', ''), text }
  }
  return invoices
}

/**
 * Reads the certificate in a person's inbox: its text, and the claims of the token in its link, verified with the
 * published keys.
 */
async function readCertificate(season: Season, name: PersonName) {
  const token = await season.tokenOf(name)
  const message = (await season.call(listMessages, { token })).find(({ title }) =>
    title.includes('Teilnahmebescheinigung'),
  )
  const pdf = await season.call(getInboxFile, { params: { id: message?.id ?? 0 }, token })
  const links = [...readPdfObjects(pdf).values()].flatMap(
    ({ dictionary }) => /\/URI \((.*)\)/.exec(dictionary)?.[1] ?? [],
  )
  const jws = links[0]?.split('#')[1] ?? ''
  const { payload } = await compactVerify(jws, createLocalJWKSet(await season.call(getCertificateKeys)))
  return { text: readPdfPages(pdf).join(' '), claims: JSON.parse(Buffer.from(payload).toString()) }
}

const expect = hardExpect.soft

const AUTUMN = ['H-01', 'H-02', 'H-03', 'H-04', 'H-05', 'H-06', 'H-07', 'H-08', 'H-10']

/** Submits an absence proof, which the desk accepts. @returns its effect as shown to the person */
async function prove(season: Season, name: PersonName, kind: 'shift' | 'sick', from: string, to: string) {
  const token = await season.tokenOf(name)
  const file = new File(['%PDF-1.4'], 'proof.pdf')
  const { id: proofId } = await season.call(addProof, { token, file, form: { kind, from, to, consent: '2' } })
  await season.perform({ kind: 'decide-proof', proofId, decision: 'accepted' })
  const { items } = await season.call(listOwnProofs, { token, language: languageOf(name) })
  return items.find(({ id }) => id === proofId)?.effect
}

/** Creates a batch and closes it. @returns its id */
async function sendBatch(season: Season, batchKind: 'payroll' | 'invoice'): Promise<number> {
  const { result } = await season.perform({ kind: 'create-batch', batchKind })
  const batchId = Number(result.id)
  await season.perform({ kind: 'close-batch', batchId })
  return batchId
}

/** Uploads a file at the desk. @returns its id */
export async function upload(season: Season, name: string, text: string): Promise<string> {
  const token = await season.tokenOf('desk')
  return (await season.call(uploadOfficeFile, { token, file: new File([text], name) })).fileId
}

const readMoney = async (season: Season, seasonId: number) =>
  season.call(getOfficeMoney, { token: await season.tokenOf('desk'), query: { seasonId: String(seasonId) } })

/** Adds to each course number in an invoice the days of the course's first and last lesson. */
const withPeriods = (lines: string) =>
  lines.replace(/\(([HF]-\d+)\)/g, (_, number: string) => {
    const days = HELD[number]?.days ?? []
    const [first, last] = [days[0], days.at(-1)].map(day =>
      inYear(day ?? '')
        .split('-')
        .reverse()
        .join('.'),
    )
    return `(${number}, ${first}–${last})`
  })

/**
 * Checks that every invoice of a batch has the expected lines, the address and a unique number. @returns numbers by
 * person
 */
async function checkInvoices(season: Season, batchId: number, expected: typeof AUTUMN_INVOICES) {
  const invoices = await readInvoices(season, batchId)
  expect(Object.keys(invoices).sort()).toEqual(Object.keys(expected))
  for (const [name, lines] of Object.entries(expected)) {
    const { number = '', text = '' } = invoices[name] ?? {}
    // A line may wrap after the dash of its period.
    const unwrapped = text.replaceAll('– ', '–')
    for (const words of [withPeriods(lines), number, 'Lindenallee 27 00210 Salzstadt'])
      expect(unwrapped).toContain(words)
  }
  return Object.fromEntries(Object.entries(invoices).map(([name, { number }]) => [name, number]))
}

/** The autumn season: shift proof, settlement, payroll, invoices, certificate and refunds. */
export function describeAutumnSettlement(season: () => Season): void {
  let payroll = 0
  let uwesReference = ''
  let numbers: Record<string, string> = {}

  test('15 December: with a proof of shift work a third of the lessons is enough', async () => {
    await simulateUntil(season(), '2026-12-15 10:00')
    expect(await prove(season(), 'cem', 'shift', '2026-10-26', '2026-12-14')).toContain('genügt ein Drittel')
    expect(await season().states('H-01', ['cem'])).toEqual({ cem: 'booked, 0 €, waived, 4/10 of 10 needs 4' })
  })

  test('16 December: the autumn is settled once nothing is open', async () => {
    await simulateUntil(season(), '2026-12-16 10:00')
    const { toSettle, held } = await readMoney(season(), 1)
    expect(held).toEqual([])
    expect(toSettle.map(({ number }) => number)).toEqual(AUTUMN)
    expect(toSettle.filter(({ openLessons }) => openLessons > 0).map(({ number }) => number)).toEqual(['H-10'])
    expect(toSettle.filter(({ isListOpen }) => !isListOpen).map(({ number }) => number)).toEqual([
      'H-01',
      'H-03',
      'H-05',
    ])
    const settle = { kind: 'settle-courses', courseIds: AUTUMN.map(season().courseId) } as const
    expect((await season().act(settle)).code).toBe('office.reason.openList')
    await season().perform({ kind: 'exclude-lesson', courseDateId: await season().lesson('H-10', '2026-11-12') })
    const settled = await season().perform({ ...settle, reason: 'Listen sind geprüft' })
    expect(settled.result).toMatchObject({ undecided: [], held: [] })
    const again = await season().perform({ ...settle, reason: 'Noch einmal' })
    expect((again.result.courses as { entries: number }[]).map(({ entries }) => entries)).toEqual(AUTUMN.map(() => 0))
    const after = await readMoney(season(), 1)
    expect([after.toSettle, after.outdated, after.undecided]).toEqual([[], [], []])
  })

  test('16 December: payroll file, invoices and certificate, line by line', async () => {
    payroll = await sendBatch(season(), 'payroll')
    const { rows, references } = await readPayroll(season(), payroll)
    expect(rows).toEqual(AUTUMN_PAYROLL)
    expect(new Set(references.values()).size).toBe(AUTUMN_PAYROLL.length - 2)
    uwesReference = references.get('1020') ?? ''
    numbers = await checkInvoices(season(), await sendBatch(season(), 'invoice'), AUTUMN_INVOICES)
    expect(Object.values(numbers).sort()).toEqual([1, 2, 3, 4, 5].map(number => `2026-00000${number}`))
    const { text, claims } = await readCertificate(season(), 'ida')
    expect(claims).toMatchObject(CERTIFICATE)
    for (const words of ['Ida Muster', 'ZPP 20260123', '30.09.2026 – 02.12.2026', '8 von 8 Kurseinheiten', '90,00 €'])
      expect(text).toContain(words)
    expect((await season().call(getCertificate, { params: { code: claims.jti } })).state).toBe('valid')
  })

  test('5 January: payroll refuses who has left the company, who gets an invoice; the others have paid', async () => {
    await simulateUntil(season(), '2027-01-05 10:00')
    const refused = await upload(season(), 'refused.csv', `reference;reason\n${uwesReference};Ausgeschieden\n`)
    const answer = await season().perform({ kind: 'answer-batch', batchId: payroll, fileId: refused })
    expect(answer.result).toEqual({ accepted: 8, returned: 1 })
    expect((await readMoney(season(), 1)).held).toEqual([{ cause: 'returned', count: 1, amount: 71.11 }])
    await season().perform({ kind: 'change-person', webUserId: season().idOf('uwe'), billingType: 3 })
    const own = await checkInvoices(season(), await sendBatch(season(), 'invoice'), JANUARY_INVOICES)
    expect(own).toEqual({ uwe: '2027-000001' })
    const amounts = { gerd: 950, ida: 9000, jan: 20_061, karl: 7111, vera: 5000 }
    const credits = Object.entries(amounts).map(([name, cents]) => ({
      cents,
      text: `Sport ${numbers[name]}`,
      day: '2027-01-04',
    }))
    const pay = async (name: string) =>
      (await season().perform({ kind: 'mark-paid', fileId: await upload(season(), name, buildCamt(credits)) })).result
    expect(await pay('january.xml')).toMatchObject({ paid: { length: 5 }, amount: 421.22, repeated: [], unmatched: [] })
    expect(await pay('again.xml')).toMatchObject({ paid: [], amount: 0, repeated: { length: 5 }, unmatched: [] })
    const { totals, held } = await readMoney(season(), 1)
    expect(held).toEqual([])
    expect(totals).toEqual(AUTUMN_TOTALS)
  })
}

/** The spring season: sick notes around Easter, and all entries at the end. */
export function describeSpringSettlement(season: () => Season): void {
  test('19 April: sick for 9, 10 and 11 working days over Easter', async () => {
    const effects = [
      await prove(season(), 'dora', 'sick', '2027-03-22', '2027-04-05'),
      await prove(season(), 'emil', 'sick', '2027-03-22', '2027-04-06'),
      await prove(season(), 'frieda', 'sick', '2027-03-22', '2027-04-07'),
    ]
    expect(effects.map(effect => /\d+(?: von 10)? Arbeitstage/.exec(effect ?? '')?.[0])).toEqual([
      '9 von 10 Arbeitstage',
      '10 Arbeitstage',
      '11 Arbeitstage',
    ])
    expect(await season().states('F-01', ['dora', 'emil', 'frieda'])).toEqual({
      dora: 'booked, 30 €, waivable, 6/12 of 12 needs 8',
      emil: 'booked, 0 €, waived, 6/12 of 12 needs 8',
      frieda: 'booked, 0 €, waived, 6/12 of 12 needs 8',
    })
    await season().call(completeParticipation, {
      token: await season().tokenOf('tina'),
      body: { courseId: season().courseId('F-01'), isCompleted: true },
    })
    await season().perform({ kind: 'settle-courses', courseIds: [season().courseId('F-01')] })
    expect((await readPayroll(season(), await sendBatch(season(), 'payroll'))).rows).toEqual(SPRING_PAYROLL)
    const numbers = await checkInvoices(season(), await sendBatch(season(), 'invoice'), SPRING_INVOICES)
    expect(numbers).toEqual({ gerd: '2027-000002' })
  })
}

/** The ledger at the end of the simulation, as shown at the desk and to people. */
export function describeSettledLedger(season: () => Season): void {
  test('the ledger, line by line', async () => {
    const expected = LEDGER.map(([course, name, entries]) => [`${course} ${name}`, entries])
    expect(await readLedger(season())).toEqual(Object.fromEntries(expected))
    const token = await season().tokenOf('desk')
    const invoices = (await season().call(listInvoices, { token, query: {} })).items
    const lines = invoices.map(({ name, amount, state }) => [name.split(' ')[0]?.toLowerCase(), amount, state])
    expect(lines.sort((a, b) => String(a).localeCompare(String(b)))).toEqual(INVOICES)
    const { toSettle, outdated, held } = await season().call(getOfficeMoney, { token, query: {} })
    expect([toSettle, outdated, held]).toEqual([[], [], []])
  })

  test('what people read under *costs*', async () => {
    for (const [name, lines] of entriesOf(COSTS)) {
      const { seasons } = await season().call(listOwnMoney, { token: await season().tokenOf(name) })
      const read = seasons.flatMap(({ courses }) =>
        courses.map(({ number, sum, state }) => `${number} ${sum} ${state}`),
      )
      expect(read, name).toEqual(lines)
    }
  })

  test('the file of a proof is deleted four weeks after its decision, which stays; the certificate is still valid', async () => {
    const { items } = await season().call(listOfficeProofs, { token: await season().tokenOf('desk'), query: {} })
    expect(items.map(({ name, state, hasFile }) => [name, state, hasFile])).toEqual([
      ['Cem Muster', 'accepted', false],
      ['Dora Muster', 'accepted', true],
      ['Emil Muster', 'accepted', true],
      ['Frieda Muster', 'accepted', true],
    ])
    const { claims } = await readCertificate(season(), 'ida')
    expect((await season().call(getCertificate, { params: { code: claims.jti } })).state).toBe('valid')
  })
}
