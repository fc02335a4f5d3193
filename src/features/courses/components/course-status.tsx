import type { TFunction } from 'i18next'
import { piece } from '#components/pieces.ts'
import type { Course } from '#contract/courses.ts'
import { futureLessonsOf, isCancellableAt } from '#contract/lessons.ts'
import { BOOKING_STATUS } from '#contract/values.ts'
import { formatDayMonth, formatTime } from '#contract/words.ts'
import { weekdayOf } from '#lib/format.ts'
import { useToday, useWallClock } from '#lib/use-now.ts'
import { formatAttendance } from '../attendance-model.ts'
import { availabilityOf, isFull, isFullForPerson, isOver, type ListedCourse } from '../model.ts'
import { ChangeTag } from './change-tag.tsx'
import { ClashTags } from './clash-tags.tsx'

/** Status labels of a course, each with its own background. */
const looks = (...more: string[]) => ({
  all: piece('row', 'tight', ...more),
  grey: piece('soft', 'grey', ...more),
  free: piece('soft', 'ink', ...more),
  few: piece('soft', 'few', ...more),
  queued: piece('soft', 'queued', ...more),
  mine: piece('soft', 'mine', ...more),
  opens: piece('soft', 'sunny', ...more),
})
const WHOLE = looks()
/** Long labels are truncated in lists; the course page shows them in full. */
const CUT = looks('cut')

export type CardMode = 'list' | 'participant' | 'instructor'

type Props = {
  course: ListedCourse & Partial<Pick<Course, 'changes'>>
  mode: CardMode
  t: TFunction<'courses'>
}

/**
 * The user's booking state first, then availability and booking period; lists may truncate what follows: changes,
 * overlaps, attendance.
 */
export function CourseStatus({ course, mode, t }: Props) {
  const { bookingStatus, waitingListPosition, participation, bookableFrom } = course
  const isCancellable = isCancellableAt(course, useWallClock())
  const { kind, free } = availabilityOf(course)
  const today = useToday()
  const isPast = isOver(course, today)
  const look = mode === 'list' ? CUT : WHOLE
  const isTaking = bookingStatus === BOOKING_STATUS.NotBooked && !isPast && !course.cancelled
  return (
    <ul className={look.all}>
      {bookingStatus === BOOKING_STATUS.Booked && (
        <li className={look.mine}>
          {t('card.booked')}
          {isCancellable && ` · ${t('card.cancellable')}`}
        </li>
      )}
      {bookingStatus === BOOKING_STATUS.Waitinglist && (
        <li className={look.queued}>
          {t('card.waiting', { position: waitingListPosition })}
          {isCancellable && ` · ${t('card.cancellable')}`}
        </li>
      )}
      {course.cancelled && <li className={look.few}>{t('card.cancelled')}</li>}
      {isPast && <li className={look.grey}>{t('card.over')}</li>}
      {isFull(course, today) && !course.cancelled && (
        <li className={look.queued}>{t(isFullForPerson(course) ? 'places.full' : 'card.waitingListOnly')}</li>
      )}
      {isTaking && kind !== 'full' && (
        <li className={kind === 'enough' ? look.free : look.few}>
          {kind === 'enough' && course.currentBooked !== null
            ? t('card.free', { count: free })
            : t(`places.${kind}`, { count: free })}
        </li>
      )}
      {isTaking && !course.seasonBookable && (
        <li className={look.opens}>
          {t('card.opens', { date: formatDayMonth(bookableFrom), time: formatTime(bookableFrom) })}
        </li>
      )}
      {!isPast && <ChangeTag course={course} className={look.few} />}
      {mode !== 'instructor' && !isPast && <ClashTags course={course} t={t} className={look.queued} />}
      {mode !== 'list' && <li className={look.grey}>{t(course.confirmed ? 'card.confirmed' : 'card.notConfirmed')}</li>}
      {mode === 'participant' && <OwnLessons course={course} t={t} />}
      {participation !== 0 && !(mode === 'participant' && course.attendance) && (
        <li className={look.grey}>
          {t(mode === 'instructor' ? 'card.participants' : 'card.participation', { count: participation })}
        </li>
      )}
    </ul>
  )
}

/** The user's next lesson, and their attendance so far. */
function OwnLessons({ course, t }: { course: ListedCourse & { dates?: Course['dates'] }; t: TFunction<'courses'> }) {
  const { attendance, startTime, dates = [] } = course
  const [next] = futureLessonsOf({ dates, startTime }, useWallClock())
  const isBooked = course.bookingStatus === BOOKING_STATUS.Booked
  const attended = formatAttendance(attendance, t)
  return (
    <>
      {next && (
        <li className={WHOLE.grey}>
          {t('card.next', {
            day: t(`day.short.${weekdayOf(next)}`),
            date: formatDayMonth(next),
            time: formatTime(next),
          })}
        </li>
      )}
      {isBooked && attended && <li className={WHOLE.grey}>{attended}</li>}
    </>
  )
}
