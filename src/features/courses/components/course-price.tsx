import type { TFunction } from 'i18next'
import { formatMoney } from '#contract/words.ts'
import { type Priced, priceViewOf } from '../price-model.ts'
import classes from './course-price.module.css'

/** What the reader pays, all in, as one number; its parts and conditions below. */
export function CoursePrice({ course, t }: { course: Priced; t: TFunction<'courses'> }) {
  const { amount, parts, external, attendance } = priceViewOf(course)
  return (
    <p className={classes.price}>
      <b>{amount === 0 ? t('price.free') : formatMoney(amount)}</b>
      {parts && <span>{t(parts.isExternal ? 'price.partsExternal' : 'price.parts', moneyOf(parts))}</span>}
      {external !== null && (
        <span>{t('price.external', { price: external === 0 ? t('price.free') : formatMoney(external) })}</span>
      )}
      {attendance && <span>{t(`price.${attendance}`)}</span>}
    </p>
  )
}

/** The parts of a price as texts take them. */
export const moneyOf = ({ fee, energyFee }: { fee: number; energyFee: number }) => ({
  fee: formatMoney(fee),
  energy: formatMoney(energyFee),
})
