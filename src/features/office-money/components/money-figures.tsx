import { useTranslation } from 'react-i18next'
import type { ResponseOf } from '#contract/endpoint.ts'
import type { getOfficeMoney } from '#contract/office-money.ts'
import { formatMoney } from '#contract/words.ts'
import classes from './money.module.css'

const FIGURES = ['charged', 'waived', 'refunded', 'payroll', 'invoiced', 'paid', 'open'] as const

/** Totals of a season, or of all. */
export function MoneyFigures({ totals }: Pick<ResponseOf<typeof getOfficeMoney>, 'totals'>) {
  const { t } = useTranslation('office-money')
  return (
    <dl className={classes.figures}>
      {FIGURES.map(figure => (
        <div key={figure}>
          <dt>{t(`total.${figure}`)}</dt>
          <dd>{formatMoney(totals[figure])}</dd>
        </div>
      ))}
    </dl>
  )
}
