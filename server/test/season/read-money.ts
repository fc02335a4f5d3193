import { buffer } from 'node:stream/consumers'
import { parse } from 'csv-parse/sync'
import { compactVerify, createLocalJWKSet } from 'jose'
import { fromBufferPromise } from 'yauzl'
import { getCertificateKeys } from '#contract/certificates.ts'
import { getInboxFile, listMessages } from '#contract/inbox.ts'
import { getBatchFile, listLedger } from '#contract/office-money.ts'
import { readPdfObjects, readPdfPages } from '../pdf.ts'
import type { PersonName } from './programme.ts'
import type { Season } from './season.ts'

/** The whole ledger as the desk reads it: euros by kind, for each person in each course. */
export async function readLedger(season: Season) {
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

/** A payroll file: its rows by personnel number without the reference, the header first and the sum last; and its references. */
export async function readPayroll(season: Season, batchId: number) {
  const rows: string[][] = parse(await fileOf(season, batchId), { bom: true, delimiter: ';' })
  const [header = [], ...lines] = rows
  const sum = lines.pop() ?? []
  const withoutReference = (row: string[]) => row.slice(0, -1)
  return {
    rows: [header, ...lines.sort(([a = ''], [b = '']) => a.localeCompare(b)), sum].map(withoutReference),
    references: new Map(lines.map(row => [row[0], row.at(-1) ?? ''])),
  }
}

/** The invoices of a batch: number and text by the name of the person. */
export async function readInvoices(season: Season, batchId: number) {
  const zip = await fromBufferPromise(await fileOf(season, batchId), { lazyEntries: true })
  const invoices: Record<string, { number: string; text: string }> = {}
  for await (const entry of zip.eachEntry()) {
    const text = readPdfPages(await buffer(await zip.openReadStreamPromise(entry))).join(' ')
    const [, name = ''] = /(\w+) Muster/.exec(text) ?? []
    invoices[name.toLowerCase()] = { number: entry.fileName.replace('.pdf', ''), text }
  }
  return invoices
}

/** The certificate in a person's inbox: its text, and the claims of the token in its link, verified with the published keys. */
export async function readCertificate(season: Season, name: PersonName) {
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
