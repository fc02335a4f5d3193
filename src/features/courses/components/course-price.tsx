import type { TFunction } from 'i18next'
import type { Course } from '#contract/courses.ts'
import { formatMoney } from '#lib/format.ts'
import classes from './course-price.module.css'

type Props = { course: Pick<Course, 'fee' | 'externalFee' | 'energyFee'>; t: TFunction<'courses'> }

/** Fee, fee for externals, and the energy surcharge where there is one. */
export function CoursePrice({ course, t }: Props) {
  const priceOf = (fee: number) => (fee === 0 ? t('card.free') : formatMoney(fee))
  return (
    <p className={classes.price}>
      <b>{priceOf(course.fee)}</b>
      <span>{t('card.external', { price: priceOf(course.externalFee) })}</span>
      {course.energyFee > 0 && <span>{t('card.energy', { price: formatMoney(course.energyFee) })}</span>}
    </p>
  )
}
