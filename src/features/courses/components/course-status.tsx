import type { TFunction } from 'i18next'
import type { ReactNode } from 'react'
import { isCancellableAt } from '#contract/lessons.ts'
import { BOOKING_STATUS } from '#contract/values.ts'
import { formatDayMonth, formatTime } from '#contract/words.ts'
import { useLocalTimeMs, useToday } from '#lib/use-now.ts'
import { IconCircleCheckFilled } from '#ui/shell-icons.ts'
import { availabilityOf, isCourseOver, isFullForUser, isFullyBooked, type ListedCourse } from '../model.ts'
import { useClashes, useCourseTexts, useIsRefundable } from '../resource.ts'
import classes from './course-status.module.css'

export type CourseCardMode = 'list' | 'participant' | 'instructor'

type Props = {
  course: ListedCourse
  mode: CourseCardMode
  /** the next lesson and schedule changes as list items, for one of the user's own courses */
  lessons?: ReactNode
  t: TFunction<'courses'>
}

/**
 * The user's booking as a label, followed by the availability, the booking period and further properties, each in a
 * single word. course-card-details.tsx explains them.
 */
export function CourseStatus({ course, mode, lessons, t }: Props) {
  const { bookingStatus, waitingListPosition, participation, bookableFrom } = course
  const isCancellable = isCancellableAt(course, useLocalTimeMs())
  const { kind, free } = availabilityOf(course)
  const today = useToday()
  const isPast = isCourseOver(course, today)
  const isTaking = bookingStatus === BOOKING_STATUS.NotBooked && !isPast && !course.cancelled
  return (
    <ul className={classes.status}>
      {bookingStatus === BOOKING_STATUS.Booked && <li className={classes.mine}>{t('card.booked')}</li>}
      {bookingStatus === BOOKING_STATUS.Waitinglist && (
        <li className={classes.queued}>{t('card.waiting', { position: waitingListPosition })}</li>
      )}
      {isCancellable && bookingStatus === BOOKING_STATUS.Booked && <li>{t('card.cancellable')}</li>}
      {course.cancelled && <li className={classes.alert}>{t('card.cancelled')}</li>}
      {isPast && <li>{t('card.over')}</li>}
      {isFullyBooked(course, today) && !course.cancelled && (
        <li className={classes.full}>{t(isFullForUser(course) ? 'places.full' : 'card.waitingListOnly')}</li>
      )}
      {isTaking && kind !== 'full' && (
        <li className={kind === 'enough' ? classes.free : classes.alert}>
          {kind === 'enough' && course.currentBooked !== null
            ? t('card.free', { count: free })
            : t(`places.${kind}`, { count: free })}
        </li>
      )}
      {isTaking && !course.seasonBookable && (
        <li className={classes.opens}>
          {t('card.opens', { date: formatDayMonth(bookableFrom), time: formatTime(bookableFrom) })}
        </li>
      )}
      {mode === 'list' ? <Marks course={course} isPast={isPast} t={t} /> : lessons}
      {mode !== 'instructor' && !isPast && <ClashMark course={course} t={t} />}
      {mode !== 'list' && !course.confirmed && !isPast && <li className={classes.opens}>{t('card.notConfirmed')}</li>}
      {participation !== 0 && !(mode === 'participant' && course.attendance) && (
        <li>{t(mode === 'instructor' ? 'card.participants' : 'card.participation', { count: participation })}</li>
      )}
    </ul>
  )
}

/** Indicates in one word that the course overlaps one of the user's own courses, or leaves little time to get there. */
function ClashMark({ course, t }: Pick<Props, 'course' | 't'>) {
  const clashes = useClashes(course)
  if (clashes.length === 0) return null
  return (
    <li className={classes.full}>
      <span aria-hidden>⚠&#xFE0E;</span> {t(clashes.some(({ kind }) => kind === 'time') ? 'card.clash' : 'card.tight')}
    </li>
  )
}

/** Indicates changed lessons and certification, in one word each. */
function Marks({ course, isPast, t }: { course: ListedCourse; isPast: boolean; t: Props['t'] }) {
  const isChanged = useCourseTexts(({ data }) => (data.get(course.id)?.changes?.length ?? 0) > 0)
  const isRefundable = useIsRefundable(course)
  return (
    <>
      {isChanged && !isPast && <li className={classes.alert}>{t('card.changed')}</li>}
      {course.centralTestInstitute && (
        <li className={classes.free}>
          <IconCircleCheckFilled size={16} /> {t(isRefundable ? 'card.refundable' : 'card.certified')}
        </li>
      )}
    </>
  )
}
