import { useTranslation } from 'react-i18next'
import type { Course } from '#contract/courses.ts'
import { availabilityOf, fillPercent } from '../model.ts'
import classes from './availability.module.css'

/** How many places are left, in words and as a number; with enough of them also a bar. */
export function Availability({ course }: { course: Course }) {
  const { t } = useTranslation('courses')
  const { kind, free } = availabilityOf(course)
  return (
    <section className={classes.availability} data-kind={kind}>
      <p>{t(`places.${kind}`, { count: free })}</p>
      {kind === 'full' && course.currentWaiting > 0 && (
        <span>{t('places.waiting', { count: course.currentWaiting })}</span>
      )}
      {kind === 'enough' && (
        <>
          <progress
            max={100}
            value={fillPercent(course.currentBooked ?? 0, course.participants)}
            aria-label={t('card.free', { count: free })}
          />
          <span>{t('card.free', { count: free })}</span>
        </>
      )}
    </section>
  )
}
