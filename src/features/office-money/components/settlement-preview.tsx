import { useTranslation } from 'react-i18next'
import type { ActAnswer } from '#contract/office.ts'
import { formatMoney } from '#contract/words.ts'
import { CompactTable } from '#features/office/components/dense-table.tsx'
import { Stack, Text } from '#ui/layout.tsx'
import { summarizeSettlement } from '../model.ts'

/**
 * The result of settling a course: totals by kind, people who must be decided on, and amounts that cannot be billed.
 */
export function SettlementPreview({ result }: Pick<ActAnswer, 'result'>) {
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
