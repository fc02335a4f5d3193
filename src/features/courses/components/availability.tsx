import { useTranslation } from 'react-i18next'
import { piece } from '#components/pieces.ts'
import type { Course } from '#contract/courses.ts'
import { availabilityOf, fillPercent } from '../model.ts'
import classes from './availability.module.css'

const LOOKS = { enough: piece('good'), few: piece('signal'), one: piece('signal'), full: piece('ink') }

/** Number of free places as text, with a progress bar unless only a few are left. */
export function Availability({ course }: { course: Course }) {
  const { t } = useTranslation('courses')
  const { kind, free } = availabilityOf(course)
  return (
    <section className={classes.availability}>
      <p className={LOOKS[kind]}>{t(`places.${kind}`, { count: free })}</p>
      {kind === 'full' && course.currentWaiting > 0 && (
        <span>{t('places.waiting', { count: course.currentWaiting })}</span>
      )}
      {kind === 'enough' && (
        <>
          <progress
            className={piece('gauge', 'good')}
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
