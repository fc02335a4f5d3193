import { useTranslation } from 'react-i18next'
import type { Course } from '#contract/courses.ts'
import { availabilityOf, fillPercent } from '../model.ts'
import classes from './availability.module.css'

/** How many places are left, in words; with enough of them also a bar. */
export function Availability({ course }: { course: Course }) {
  const { t } = useTranslation('courses')
  const { kind, free } = availabilityOf(course)
  return (
    <section className={classes.availability}>
      <p className={classes[kind]}>{t(`places.${kind}`, { count: free })}</p>
      {kind === 'full' && course.currentWaiting > 0 && (
        <p className={classes.waiting}>{t('places.waiting', { count: course.currentWaiting })}</p>
      )}
      {kind === 'enough' && (
        <div className={classes.bar} aria-hidden>
          <i style={{ width: `${fillPercent(course.currentBooked ?? 0, course.participants)}%` }} />
        </div>
      )}
    </section>
  )
}
