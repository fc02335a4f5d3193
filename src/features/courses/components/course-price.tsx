import { useTranslation } from 'react-i18next'
import type { Course } from '#contract/courses.ts'
import { formatMoney } from '#lib/format.ts'
import classes from './course-price.module.css'

/** Fee, fee for externals, and the energy surcharge where there is one. */
export function CoursePrice({ course }: { course: Pick<Course, 'fee' | 'externalFee' | 'energyFee'> }) {
  const { t } = useTranslation('courses')
  const priceOf = (fee: number) => (fee === 0 ? t('card.free') : formatMoney(fee))
  return (
    <p className={classes.price}>
      <b>{priceOf(course.fee)}</b>
      <span>{t('card.external', { price: priceOf(course.externalFee) })}</span>
      {course.energyFee > 0 && <span>{t('card.energy', { price: formatMoney(course.energyFee) })}</span>}
    </p>
  )
}
