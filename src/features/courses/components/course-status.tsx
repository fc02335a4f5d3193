import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import type { Course } from '#contract/endpoints/courses.ts'
import { futureLessonsOf, isCancellableAt } from '#contract/lessons.ts'
import { BOOKING_STATUS, EMPLOYEE_STATUS } from '#contract/values.ts'
import { formatDayMonth, formatTime } from '#contract/words.ts'
import { useSession } from '#features/session/store.ts'
import { weekdayOf } from '#lib/format.ts'
import { useLanguage } from '#lib/use-language.ts'
import { useLocalTimeMs, useToday } from '#lib/use-now.ts'
import { Box } from '#ui/layout.tsx'
import { IconCircleCheckFilled } from '#ui/shell-icons.ts'
import { formatLessonChange } from '../change-model.ts'
import { availabilityOf, isCourseOver, isFullForUser, isFullyBooked, type ListedCourse } from '../model.ts'
import { useClashes, useCourseTexts } from '../resource.ts'
import classes from './course-status.module.css'

export type CourseCardMode = 'list' | 'participant' | 'instructor'

type Props = {
  course: ListedCourse & Partial<Pick<Course, 'changes' | 'dates'>>
  mode: CourseCardMode
  t: TFunction<'courses'>
}

/**
 * The user's booking as a label, followed by the availability, the booking period and further properties, each in a
 * single word. course-card-details.tsx explains them.
 */
export function CourseStatus({ course, mode, t }: Props) {
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
      {isCancellable && <li>{t('card.cancellable')}</li>}
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
      {mode === 'list' ? <Marks course={course} isPast={isPast} t={t} /> : <OwnLessons course={course} t={t} />}
      {mode !== 'instructor' && !isPast && <ClashMark course={course} t={t} />}
      {mode !== 'list' && !course.confirmed && !isPast && <li className={classes.opens}>{t('card.notConfirmed')}</li>}
      {participation !== 0 && !(mode === 'participant' && course.attendance) && (
        <li>{t(mode === 'instructor' ? 'card.participants' : 'card.participation', { count: participation })}</li>
      )}
    </ul>
  )
}

/** Indicates in one word that the course conflicts with one of the user's own courses. */
function ClashMark({ course, t }: Pick<Props, 'course' | 't'>) {
  if (useClashes(course).length === 0) return null
  return (
    <li className={classes.full}>
      <span aria-hidden>⚠&#xFE0E;</span> {t('card.clash')}
    </li>
  )
}

/** Indicates changed lessons and certification, in one word each. */
function Marks({ course, isPast, t }: { course: ListedCourse; isPast: boolean; t: Props['t'] }) {
  const isChanged = useCourseTexts(({ data }) => (data.get(course.id)?.changes?.length ?? 0) > 0)
  const isInsured = useSession(({ session }) => session?.employeeStatus === EMPLOYEE_STATUS.HealthInsurance)
  return (
    <>
      {isChanged && !isPast && <li className={classes.alert}>{t('card.changed')}</li>}
      {course.centralTestInstitute && (
        <li className={classes.free}>
          <IconCircleCheckFilled size={16} /> {t(isInsured ? 'card.refundable' : 'card.certified')}
        </li>
      )}
    </>
  )
}

/** Shows the next lesson of one of the user's own courses, and schedule changes. */
function OwnLessons({ course, t }: Pick<Props, 'course' | 't'>) {
  const { startTime, dates = [], end } = course
  const [next] = futureLessonsOf({ dates, startTime }, useLocalTimeMs())
  const isPast = isCourseOver({ end }, useToday())
  return (
    <>
      {!isPast && <LessonChangeTag course={course} className={classes.alert} />}
      {next && (
        <Box as="li" tone="ink">
          {t('card.next', {
            day: t(`day.short.${weekdayOf(next)}`),
            date: formatDayMonth(next),
            time: formatTime(next),
          })}
        </Box>
      )}
    </>
  )
}

type LessonChangeTagProps = {
  course: Pick<Course, 'id'> & Partial<Pick<Course, 'changes'>>
  className: string | undefined
}

/** The next rescheduled or cancelled lesson, as a list item. */
function LessonChangeTag({ course, className }: LessonChangeTagProps) {
  const { t } = useTranslation('courses')
  const language = useLanguage()
  const kept = useCourseTexts(state => state.data.get(course.id)?.changes)
  const [next, ...others] = course.changes ?? kept ?? []
  if (!next) return null
  return (
    <li className={className}>
      {formatLessonChange(next, t, language)}
      {others.length > 0 && `, ${t('change.more', { count: others.length })}`}
    </li>
  )
}
