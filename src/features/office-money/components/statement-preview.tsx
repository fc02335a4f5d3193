import { useTranslation } from 'react-i18next'
import type { ActAnswer } from '#contract/office.ts'
import { formatMoney } from '#contract/words.ts'
import { CompactTable } from '#features/office/components/dense-table.tsx'
import { formatDay } from '#features/office-people/people-model.ts'
import { Stack, Text } from '#ui/layout.tsx'
import { parseStatement } from '../model.ts'

/** The payments in a bank statement, and the credits that match no unpaid invoice. */
export function StatementPreview({ result }: Pick<ActAnswer, 'result'>) {
  const { t } = useTranslation('office-money')
  const { paid, amount, repeated, unmatched } = parseStatement(result)
  return (
    <Stack gap="s">
      <Text flush>{t('invoice.statementPaid', { count: paid, amount: formatMoney(amount) })}</Text>
      {repeated > 0 && <Text flush>{t('invoice.statementRepeated', { count: repeated })}</Text>}
      {unmatched.length > 0 && (
        <CompactTable
          caption={t('invoice.statementUnmatched')}
          columns={[
            { label: t('invoice.statementUnmatched') },
            { label: t('invoice.day') },
            { label: t('amount'), isNumber: true },
          ]}
          rows={unmatched.map(({ paidOn, amount: sum, why }, index) => ({
            key: index,
            cells: [t(`invoice.unmatched.${why}`), formatDay(paidOn), formatMoney(sum)],
          }))}
        />
      )}
    </Stack>
  )
}
