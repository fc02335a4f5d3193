import type { TFunction } from 'i18next'
import { piece } from '#components/pieces.ts'
import type { Course } from '#contract/courses.ts'
import { isCancellableAt, lessonsToCome } from '#contract/lessons.ts'
import { BOOKING_STATUS } from '#contract/values.ts'
import { formatDate, formatDayMonth, formatTime } from '#contract/words.ts'
import { weekdayOf } from '#lib/format.ts'
import { useToday, useWallClock } from '#lib/use-now.ts'
import { availabilityOf, isOver, isWaitingListOnly, type ListedCourse } from '../model.ts'
import { ChangeTag } from './change-tag.tsx'
import { ClashTags } from './clash-tags.tsx'

/** Words about a course, each on its ground. */
const TAGS = piece('row', 'tight')
const GREY = piece('soft', 'grey')
const FREE = piece('soft', 'ink')
const FEW = piece('soft', 'few')
const QUEUED = piece('soft', 'queued')
const MINE = piece('soft', 'mine')
const OPENS = piece('soft', 'sunny')

/** On whose list the course stands. */
export type CardMode = 'list' | 'participant' | 'instructor'

type Props = {
  course: ListedCourse & Partial<Pick<Course, 'changes'>>
  mode: CardMode
  t: TFunction<'courses'>
}

/** The person's own state first, then places, opening, confirmation and the counter: each a word. */
export function CourseStatus({ course, mode, t }: Props) {
  const { bookingStatus, waitingListPosition, participation, bookableFrom } = course
  const isCancellable = isCancellableAt(course, useWallClock())
  const { kind, free } = availabilityOf(course)
  const today = useToday()
  const isPast = isOver(course, today)
  const isTaking = bookingStatus === BOOKING_STATUS.NotBooked && !isPast && !course.cancelled
  return (
    <ul className={TAGS}>
      {bookingStatus === BOOKING_STATUS.Booked && (
        <li className={MINE}>
          {t('card.booked')}
          {isCancellable && ` · ${t('card.cancellable')}`}
        </li>
      )}
      {bookingStatus === BOOKING_STATUS.Waitinglist && (
        <li className={QUEUED}>
          {t('card.waiting', { position: waitingListPosition })}
          {isCancellable && ` · ${t('card.cancellable')}`}
        </li>
      )}
      {course.cancelled && <li className={FEW}>{t('card.cancelled')}</li>}
      {!isPast && <ChangeTag course={course} className={FEW} />}
      {isPast && <li className={GREY}>{t('card.over')}</li>}
      {mode !== 'instructor' && !isPast && <ClashTags course={course} t={t} className={QUEUED} />}
      {isWaitingListOnly(course, today) && !course.cancelled && <li className={QUEUED}>{t('card.waitingListOnly')}</li>}
      {isTaking && kind !== 'full' && (
        <li className={kind === 'enough' ? FREE : FEW}>
          {kind === 'enough' && course.currentBooked !== null
            ? t('card.free', { count: free })
            : t(`places.${kind}`, { count: free })}
        </li>
      )}
      {isTaking && !course.seasonBookable && (
        <li className={OPENS}>{t('card.opens', { date: formatDate(bookableFrom), time: formatTime(bookableFrom) })}</li>
      )}
      {mode !== 'list' && <li className={GREY}>{t(course.confirmed ? 'card.confirmed' : 'card.notConfirmed')}</li>}
      {mode === 'participant' && <OwnLessons course={course} t={t} />}
      {participation !== 0 && !(mode === 'participant' && course.attendance) && (
        <li className={GREY}>
          {t(mode === 'instructor' ? 'card.participants' : 'card.participation', { count: participation })}
        </li>
      )}
    </ul>
  )
}

/** The reader's next lesson, how many of those held they attended, and how many are needed where that waives the fee. */
function OwnLessons({ course, t }: { course: ListedCourse & { dates?: Course['dates'] }; t: TFunction<'courses'> }) {
  const { attendance, price, startTime, dates = [] } = course
  const [next] = lessonsToCome({ dates, startTime }, useWallClock())
  const isBooked = course.bookingStatus === BOOKING_STATUS.Booked
  return (
    <>
      {next && (
        <li className={GREY}>
          {t('card.next', {
            day: t(`day.short.${weekdayOf(next)}`),
            date: formatDayMonth(next),
            time: formatTime(next),
          })}
        </li>
      )}
      {isBooked && attendance && attendance.held > 0 && (
        <li className={GREY}>{t('card.attendance', { present: attendance.present, held: attendance.held })}</li>
      )}
      {isBooked && attendance && price?.freeWithAttendance && !price.waived && (
        <li className={GREY}>{t('card.needed', { needed: attendance.needed, planned: attendance.planned })}</li>
      )}
    </>
  )
}
