import * as contract from '#contract/office/money.ts'
import { listOddsOutcomes as oddsContract, getReport as reportContract } from '#contract/office/report.ts'
import { listOddsOutcomes } from '#server/features/bookings/waiting-odds-repository.ts'
import * as batches from '#server/features/money/batch-repository.ts'
import { csvCharsetOf } from '#server/features/money/batch-rules.ts'
import * as invoices from '#server/features/money/invoice-repository.ts'
import * as proofs from '#server/features/money/proof-repository.ts'
import { countWorkingDays } from '#server/features/money/proof-rules.ts'
import * as repository from '#server/features/money/repository.ts'
import type { Database } from '#server/platform/db/client.ts'
import type { Api } from '#server/platform/http/mount.ts'
import { findPage, toPage } from '#server/platform/http/pagination.ts'
import { notFound } from '#server/platform/http/problems.ts'
import type { ServerContext } from '#server/platform/runtime/context.ts'
import { listHeldPayables } from './batch-service.ts'
import { listClosingCourses } from './closing-service.ts'
import { getSeasonReport } from './report-service.ts'
import { getBatchLines, getCourseSettlement, getMoneyOverview, withDraftTotals } from './service.ts'
import { listSettledCourses } from './settled-course-repository.ts'

const isKnown = (id: number | null): id is number => id !== null

/**
 * Mounts the endpoints for the ledger, settlements, sick notes and shift certificates. They require the `billing`
 * permission.
 */
export function mountOfficeMoney(api: Api, { db, config }: ServerContext): void {
  const { region } = config

  api.mount(contract.getOfficeMoney, ({ query }) => getMoneyOverview(db, query.seasonId ?? null, region))

  api.mount(contract.listClosing, ({ query }) => listClosingCourses(db, query.seasonId ?? null, region))

  api.mount(contract.listHeld, async ({ query, shows }) => {
    const { cause, seasonId = null } = query
    const held = (await listHeldPayables(db, seasonId)).filter(one => cause === undefined || one.cause === cause)
    const { items, next } = await findPage(query, 'id', async ({ limit, after }) =>
      held
        .filter(({ accountId }) => accountId > after)
        .slice(0, limit + 1)
        .map(one => ({
          id: one.accountId,
          webUserId: one.webUserId,
          name: one.payer.name,
          cause: one.cause,
          amount: one.cents / 100,
        })),
    )
    shows(items.map(({ webUserId }) => webUserId).filter(isKnown))
    return { items, next }
  })

  api.mount(contract.listLedger, async ({ query, shows }) => {
    const { person = null, course = null } = query
    const { items, next } = await findPage(query, 'id', page =>
      repository.listLedgerRows(db, { person, course, ...page }),
    )
    shows(items.map(({ webUserId }) => webUserId).filter(isKnown))
    return { items: items.map(({ cents, ...row }) => ({ ...row, amount: cents / 100 })), next }
  })

  api.mount(contract.listSettlements, ({ query }) =>
    findPage(query, 'id', page => listSettledCourses(db, query.seasonId ?? null, page)),
  )

  api.mount(contract.getSettlement, async ({ params: { id }, shows }) => {
    const settlement = await getCourseSettlement(db, id, region)
    if (settlement === null) throw notFound()
    shows(settlement.lines.map(({ webUserId }) => webUserId))
    return settlement
  })

  api.mount(contract.listOfficeProofs, async ({ query, shows }) => {
    const { state = null, person = null } = query
    const { items, next } = await findPage(query, 'id', page =>
      proofs.listAttendanceProofs(db, { state, person, ...page }),
    )
    shows(items.map(({ webUserId }) => webUserId))
    return { items: items.map(proof => ({ ...proof, workingDays: countWorkingDays(region, proof) })), next }
  })

  api.mount(contract.getProofFile, async ({ params: { id }, shows }) => {
    const file = await proofs.findAttendanceProofFile(db, id)
    if (file === null) throw notFound()
    shows([file.webUserId])
    return { fileName: file.fileName, content: file.content, mediaType: file.mediaType }
  })

  mountBatches(api, db, config)
  mountInvoices(api, db)

  api.mount(oddsContract, async ({ query }) => ({ items: await listOddsOutcomes(db, query.seasonId) }))

  api.mount(reportContract, async ({ query: { seasonId, against = null } }) => {
    const report = await getSeasonReport(db, { seasonId, against }, region)
    if (report === null) throw notFound()
    return report
  })
}

/** Mounts the endpoints for batches: wage deductions, invoices, refunds and accounting files. */
function mountBatches(api: Api, db: Database, config: ServerContext['config']): void {
  api.mount(contract.listBatches, async ({ query }) => {
    const { items, next } = await findPage(query, 'id', async page =>
      withDraftTotals(db, await batches.listBatches(db, page), config),
    )
    return { items: items.map(presentBatch), next }
  })

  api.mount(contract.getBatch, async ({ params: { id }, language, shows }) => {
    const found = await batches.findBatch(db, id)
    if (found === null) throw notFound()
    const [batch = found] = await withDraftTotals(db, [found], config)
    const read = await getBatchLines(db, batch, { ...config, language })
    shows(read.lines.map(({ webUserId }) => webUserId).filter(isKnown))
    return { ...presentBatch(batch), ...read }
  })

  api.mount(contract.getBatchFile, async ({ params: { id }, query }) => {
    const batch = await batches.findBatch(db, id)
    const format = query.format ?? (batch?.kind === 'invoice' ? 'zip' : 'csv')
    const content = batch && (await batches.openBatchFile(db, id, format))
    if (!content) throw notFound()
    const mediaType =
      format === 'csv' ? `text/csv; charset=${csvCharsetOf(config.billing, batch.kind)}` : MEDIA_TYPES[format]
    return { fileName: `${FILE_NAMES[batch.kind]}-${id}.${format}`, content, mediaType }
  })
}

function mountInvoices(api: Api, db: Database): void {
  api.mount(
    contract.listInvoices,
    async ({ query: { limit = 100, after = '', unpaid, undelivered, state, level }, shows }) => {
      const isUndelivered = undelivered === 'true'
      const unpaidStates = unpaid === 'true' || isUndelivered ? ['open', 'overdue'] : null
      const found = await invoices.listInvoices(db, {
        limit,
        after,
        states: state === undefined ? unpaidStates : [state],
        level: level === undefined ? null : Number(level),
        isUndelivered,
      })
      const { items, next } = toPage('number', found, limit)
      shows(items.map(({ webUserId }) => webUserId).filter(isKnown))
      return { items: items.map(presentInvoice), next }
    },
  )

  api.mount(contract.getInvoicePdf, async ({ params: { file }, shows }) => {
    const found = file.endsWith('.pdf') ? await invoices.findInvoicePdf(db, file.slice(0, -4)) : null
    if (found === null) throw notFound()
    shows([found.webUserId].filter(isKnown))
    return { fileName: file, content: found.pdf }
  })
}

const FILE_NAMES = { payroll: 'payroll', invoice: 'invoices', refund: 'refunds', accounting: 'EXTF_Buchungsstapel' }
const MEDIA_TYPES = {
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  zip: 'application/zip',
  xml: 'application/xml',
}

const presentBatch = ({ cents, ...batch }: batches.BatchRow) => ({ ...batch, amount: cents / 100 })

const presentInvoice = ({
  cents,
  paidCents,
  street,
  zip,
  city,
  lineId,
  accountId,
  ...invoice
}: invoices.InvoiceRow & invoices.Delivery) => ({
  ...invoice,
  amount: cents / 100,
  paid: paidCents / 100,
})
