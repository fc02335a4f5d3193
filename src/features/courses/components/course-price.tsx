import type { TFunction } from 'i18next'
import { type Priced, sayPrice } from '#contract/words.ts'
import classes from './course-price.module.css'

/** What the reader pays, all in, as one number; its parts and conditions below. */
export function CoursePrice({ course, t }: { course: Priced; t: TFunction<'courses'> }) {
  const { amount, parts, external, attendance } = sayPrice(course, (key, values) => t(`price.${key}`, values))
  return (
    <p className={classes.price}>
      <b>{amount}</b>
      {parts && <span>{parts}</span>}
      {external && <span>{t('price.external', { price: external })}</span>}
      {attendance && <span>{attendance}</span>}
    </p>
  )
}
