import type { TFunction } from 'i18next'
import { BOOKING_STATUS } from '#contract/values.ts'
import { formatDate, formatTime } from '#contract/words.ts'
import { useToday } from '#lib/use-now.ts'
import { availabilityOf, isOver, isWaitingListOnly, type ListedCourse } from '../model.ts'
import type { CardMode } from './course-card.tsx'
import classes from './course-status.module.css'

/** The person's own state first, then places, opening, confirmation and the counter: each a word. */
export function CourseStatus({ course, mode, t }: { course: ListedCourse; mode: CardMode; t: TFunction<'courses'> }) {
  const { bookingStatus, waitingListPosition, cancellabel, participation, bookableFrom } = course
  const { kind, free } = availabilityOf(course)
  const today = useToday()
  const isPast = isOver(course, today)
  const isTaking = bookingStatus === BOOKING_STATUS.NotBooked && !isPast
  return (
    <ul className={classes.tags}>
      {bookingStatus === BOOKING_STATUS.Booked && (
        <li className={classes.mine}>
          {t('card.booked')}
          {cancellabel && ` · ${t('card.cancellable')}`}
        </li>
      )}
      {bookingStatus === BOOKING_STATUS.Waitinglist && (
        <li className={classes.waiting}>
          {t('card.waiting', { position: waitingListPosition })}
          {cancellabel && ` · ${t('card.cancellable')}`}
        </li>
      )}
      {isPast && <li>{t('card.over')}</li>}
      {isWaitingListOnly(course, today) && <li className={classes.waiting}>{t('card.waitingListOnly')}</li>}
      {isTaking && kind !== 'full' && (
        <li className={kind === 'enough' ? classes.places : classes.few}>{t(`places.${kind}`, { count: free })}</li>
      )}
      {isTaking && !course.seasonBookable && (
        <li className={classes.opens}>
          {t('card.opens', { date: formatDate(bookableFrom), time: formatTime(bookableFrom) })}
        </li>
      )}
      {mode !== 'list' && <li>{t(course.confirmed ? 'card.confirmed' : 'card.notConfirmed')}</li>}
      {participation !== 0 && (
        <li>{t(mode === 'instructor' ? 'card.participants' : 'card.participation', { count: participation })}</li>
      )}
    </ul>
  )
}
