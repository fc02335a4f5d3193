import { useTranslation } from 'react-i18next'
import type { ActResponse } from '#contract/office/office.ts'
import { formatMoney } from '#contract/words.ts'
import { CompactTable } from '#office/frame/components/compact-table.tsx'
import { Stack, Text } from '#ui/layout.tsx'
import { summarizeSettlement } from '../model.ts'

/**
 * The result of settling courses: totals by kind of ledger entry, people whose attendance requires a decision, and
 * amounts that cannot be billed.
 */
export function SettlementPreview({ result }: Pick<ActResponse, 'result'>) {
  const { t } = useTranslation('office-money')
  const { sums, sum, unchanged, undecided, held } = summarizeSettlement(result)
  return (
    <Stack gap="s">
      <CompactTable
        caption={t('settle.sums')}
        columns={[{ label: t('kind') }, { label: t('amount'), isNumber: true }]}
        rows={sums.map(({ kind, amount }) => ({ key: kind, cells: [t(`entry.${kind}`), formatMoney(amount)] }))}
        sums={[t('sum'), formatMoney(sum)]}
      />
      {unchanged > 0 && (
        <Text tone="muted" flush>
          {t('settle.unchanged', { count: unchanged })}
        </Text>
      )}
      {undecided.length > 0 && (
        <Text flush>
          {t('settle.undecided', { count: undecided.length, names: undecided.map(({ name }) => name).join(', ') })}
        </Text>
      )}
      {held.length > 0 && (
        <CompactTable
          caption={t('settle.held')}
          columns={[
            { label: t('settle.held') },
            { label: t('field.people'), isNumber: true },
            { label: t('amount'), isNumber: true },
          ]}
          rows={held.map(({ cause, count, amount }) => ({
            key: cause,
            cells: [t(`held.cause.${cause}`), count, formatMoney(amount)],
          }))}
        />
      )}
    </Stack>
  )
}
