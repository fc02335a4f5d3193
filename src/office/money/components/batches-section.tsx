import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { ActKind } from '#contract/acts/acts.ts'
import { BATCH_KINDS } from '#contract/acts/batches.ts'
import type { ItemOf } from '#contract/endpoint.ts'
import type { listBatches } from '#contract/office/money.ts'
import { formatMoney } from '#contract/words.ts'
import { api } from '#lib/api.ts'
import type { ActRequest } from '#office/frame/act-store.ts'
import { ActButton } from '#office/frame/components/act-button.tsx'
import { CompactTable } from '#office/frame/components/compact-table.tsx'
import { LoadingState } from '#office/frame/components/loading-state.tsx'
import { useCompleteList } from '#office/frame/list-resource.ts'
import { useDownload } from '#office/frame/use-download.ts'
import { formatDay } from '#office/people/people-model.ts'
import { Button } from '#ui/button.tsx'
import { Text } from '#ui/layout.tsx'
import classes from './money.module.css'
import { acceptBatch, closeBatch, createBatch, refuseLines } from './money-acts.tsx'
import { MoneySection } from './money-section.tsx'

export type BillingBatch = ItemOf<typeof listBatches>

/** The payment order of a refund batch is deleted once the bank's response has been recorded. */
const formatsOf = ({ kind, state }: Pick<BillingBatch, 'kind' | 'state'>) =>
  kind === 'payroll'
    ? (['csv', 'xlsx'] as const)
    : kind === 'invoice'
      ? (['zip'] as const)
      : kind === 'refund' && state === 'closed'
        ? (['xml', 'csv'] as const)
        : (['csv'] as const)

export function useBatchName() {
  const { t } = useTranslation('office-money')
  return ({ id, kind }: Pick<BillingBatch, 'id' | 'kind'>) => t(`batch.name.${kind}`, { id })
}

/** Buttons for the actions that a batch's state allows: close it, download its files, or record the response to it. */
export function BatchActions({ batch, look = 'text' }: { batch: BillingBatch; look?: 'text' | 'quiet' }) {
  const { t } = useTranslation('office-money')
  const download = useDownload()
  const name = useBatchName()(batch)
  const { id, kind, state } = batch
  const button = <Kind extends ActKind>(begin: () => ActRequest<Kind>) => (
    <ActButton look={look} aria-label={`${begin().title}: ${name}`} begin={begin} />
  )
  if (state === 'draft') return button(() => closeBatch(id, kind))
  return (
    <>
      {formatsOf(batch).map(format => (
        <Button
          key={format}
          look={look}
          aria-label={`${t(`batch.file.${format}`)}: ${name}`}
          onClick={() => void download(() => api.getBatchFile({ params: { id }, query: { format } }))}
        >
          {t(`batch.file.${format}`)}
        </Button>
      ))}
      {state === 'closed' && (kind === 'payroll' || kind === 'refund') && (
        <>
          {button(() => acceptBatch(id, name))}
          {button(() => refuseLines(id, name))}
        </>
      )}
    </>
  )
}

/** Batches of payroll, invoices, refunds and accounting: drafts first, then the others, newest first. */
export function BatchesSection() {
  const { t } = useTranslation('office-money')
  const nameOf = useBatchName()
  const reading = useCompleteList('listBatches')
  const stateOf = ({ state, closedAt, createdAt }: BillingBatch) =>
    t(`batch.stateOf.${state}`, { at: formatDay(closedAt ?? createdAt) })
  const rank = ({ state }: BillingBatch) => (state === 'draft' ? 0 : 1)
  const batches = (reading.data ?? []).toSorted((a, b) => rank(a) - rank(b) || b.id - a.id)
  return (
    <MoneySection
      title={t('batch.title')}
      lead={t('batch.lead')}
      actions={BATCH_KINDS.map(kind => <ActButton key={kind} look="plain" isPill begin={() => createBatch(kind)} />)}
    >
      {reading.data === null && <LoadingState reading={reading} />}
      {reading.data?.length === 0 && (
        <Text tone="muted" flush>
          {t('batch.none')}
        </Text>
      )}
      {batches.length > 0 && (
        <CompactTable
          caption={t('batch.title')}
          columns={[
            { label: t('batch.batch') },
            { label: t('batch.state'), isWideOnly: true },
            { label: t('batch.count'), isNumber: true, isWideOnly: true },
            { label: t('amount'), isNumber: true },
          ]}
          rows={batches.map(batch => ({
            key: batch.id,
            cells: [
              <span key="name">
                <Link href={`/office/money/batches/${batch.id}`}>{nameOf(batch)}</Link>
                <small className={classes.narrow}>{stateOf(batch)}</small>
              </span>,
              stateOf(batch),
              batch.state === 'draft' ? '' : batch.count,
              batch.state === 'draft' ? '' : formatMoney(batch.amount),
            ],
            actions: <BatchActions batch={batch} />,
          }))}
        />
      )}
    </MoneySection>
  )
}
