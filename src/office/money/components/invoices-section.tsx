import { useTranslation } from 'react-i18next'
import type { ActKind } from '#contract/acts/acts.ts'
import type { ItemOf } from '#contract/endpoint.ts'
import type { listInvoices } from '#contract/office/money.ts'
import { formatMoney } from '#contract/words.ts'
import { api } from '#lib/api.ts'
import type { ActRequest } from '#office/frame/act-store.ts'
import { ActButton } from '#office/frame/components/act-button.tsx'
import { FilterSelect } from '#office/frame/components/filter-chips.tsx'
import { ReadTable } from '#office/frame/components/read-table.tsx'
import { RecordLink } from '#office/frame/components/record-link.tsx'
import type { Column } from '#office/frame/components/table-cells.tsx'
import { useDownload } from '#office/frame/use-download.ts'
import { usePaginatedList } from '#office/frame/use-pages.ts'
import { useUrlParam } from '#office/frame/use-url-param.ts'
import { formatDay } from '#office/people/people-model.ts'
import { Button } from '#ui/button.tsx'
import { Text } from '#ui/layout.tsx'
import { styles } from '#ui/styles.ts'
import { cancelInvoice, markPaid, readStatement, remindInvoices } from './money-acts.tsx'
import { MoneySection } from './money-section.tsx'

type Invoice = ItemOf<typeof listInvoices>

const isUnpaid = ({ state }: Invoice) => state === 'open' || state === 'overdue'

function useInvoiceColumns(): Column<Invoice>[] {
  const { t } = useTranslation('office-money')
  const stateOf = ({ state, reminders, remindedOn, delivery }: Invoice) =>
    [
      t(`invoice.stateOf.${state}`),
      remindedOn !== null && t('invoice.reminded', { level: reminders, day: formatDay(remindedOn) }),
      delivery !== 'delivered' && t(`invoice.deliveryOf.${delivery}`),
    ]
      .filter(Boolean)
      .join(' · ')
  const shownState = (invoice: Invoice) => (
    <span className={invoice.state === 'overdue' ? styles({ tone: 'bad' }) : ''}>{stateOf(invoice)}</span>
  )
  return [
    { key: 'number', label: t('invoice.number'), value: ({ number }) => number, isName: true },
    {
      key: 'name',
      label: t('field.person'),
      value: ({ name }) => name,
      show: row => (
        <RecordLink kind="people" id={row.webUserId}>
          {row.name}
        </RecordLink>
      ),
      fold: ({ name }) => name,
    },
    {
      key: 'due',
      label: t('invoice.dueOn'),
      value: ({ dueOn }) => dueOn,
      show: ({ dueOn }) => formatDay(dueOn),
      isWideOnly: true,
    },
    { key: 'state', label: t('invoice.state'), value: stateOf, show: shownState, fold: shownState },
    {
      key: 'amount',
      label: t('amount'),
      value: ({ amount }) => amount,
      show: ({ amount }) => formatMoney(amount),
    },
    {
      key: 'paid',
      label: t('invoice.paid'),
      value: ({ paid }) => paid,
      show: ({ paid }) => formatMoney(paid),
      isWideOnly: true,
    },
  ]
}

/** What an empty list says. */
const NONE: Record<string, 'invoice.none' | 'invoice.noneUndelivered'> = {
  all: 'invoice.none',
  undelivered: 'invoice.noneUndelivered',
}

/** List of all invoices or the unpaid ones, with their PDF files, payments, reminders and cancellation. */
export function InvoicesSection() {
  const { t } = useTranslation('office-money')
  const [shown] = useUrlParam('invoices')
  const [level] = useUrlParam('level')
  const reading = usePaginatedList('listInvoices', {
    ...(shown === '' && { unpaid: 'true' as const }),
    ...(shown === 'overdue' && { state: 'overdue' as const }),
    ...(shown === 'undelivered' && { undelivered: 'true' as const }),
    ...(level && { level }),
  })
  const isEmpty = reading.data?.length === 0
  const columns = useInvoiceColumns()
  return (
    <MoneySection
      title={t('invoice.title')}
      actions={
        <>
          <ActButton look="plain" isPill begin={readStatement} />
          <FilterSelect
            label={t('invoice.shown')}
            name="invoices"
            all={t('invoice.unpaid')}
            options={[
              { value: 'overdue', label: t('invoice.overdue') },
              { value: 'undelivered', label: t('invoice.undelivered') },
              { value: 'all', label: t('invoice.all') },
            ]}
          />
          <FilterSelect
            label={t('invoice.level')}
            name="level"
            options={['0', '1', '2', '3'].map(value => ({
              value,
              label: value === '0' ? t('invoice.levelNone') : t(`invoice.levelOf.${value as '1' | '2' | '3'}`),
            }))}
          />
        </>
      }
    >
      {isEmpty && (
        <Text tone="muted" flush>
          {t(NONE[shown] ?? 'invoice.noneUnpaid')}
        </Text>
      )}
      {!isEmpty && (
        <ReadTable
          caption={t('invoice.title')}
          name="invoice"
          columns={columns}
          reading={reading}
          idOf={({ number }) => number}
          selection={(selected, clear) => {
            const unpaid = selected.filter(isUnpaid)
            return unpaid.length > 0 && <ActButton look="primary" isPill begin={() => remindInvoices(unpaid, clear)} />
          }}
          actions={row => <InvoiceActions invoice={row} />}
        />
      )}
    </MoneySection>
  )
}

function InvoiceActions({ invoice }: { invoice: Invoice }) {
  const download = useDownload()
  const button = <Kind extends ActKind>(begin: () => ActRequest<Kind>) => (
    <ActButton aria-label={`${begin().title}: ${invoice.number}`} begin={begin} />
  )
  return (
    <>
      <Button
        look="text"
        aria-label={`PDF: ${invoice.number}`}
        onClick={() => void download(() => api.getInvoicePdf({ params: { file: `${invoice.number}.pdf` } }))}
      >
        PDF
      </Button>
      {isUnpaid(invoice) && button(() => markPaid(invoice))}
      {isUnpaid(invoice) && button(() => cancelInvoice(invoice))}
    </>
  )
}
