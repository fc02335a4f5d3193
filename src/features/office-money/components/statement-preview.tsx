import { useTranslation } from 'react-i18next'
import { piece } from '#components/pieces.ts'
import type { ActAnswer } from '#contract/office.ts'
import { formatMoney } from '#contract/words.ts'
import { DenseTable } from '#features/office/components/dense-table.tsx'
import { formatDay } from '#features/office-people/people-model.ts'
import { parseStatement } from '../model.ts'

/** Payments of a bank statement, and credits that belong to no unpaid invoice. */
export function StatementPreview({ result }: Pick<ActAnswer, 'result'>) {
  const { t } = useTranslation('office-money')
  const { paid, amount, repeated, unmatched } = parseStatement(result)
  return (
    <div className={piece('stack', 'close')}>
      <p className={piece('flush')}>{t('invoice.statementPaid', { count: paid, amount: formatMoney(amount) })}</p>
      {repeated > 0 && <p className={piece('flush')}>{t('invoice.statementRepeated', { count: repeated })}</p>}
      {unmatched.length > 0 && (
        <DenseTable
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
    </div>
  )
}
