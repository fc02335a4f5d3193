import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { BOOKING_STATUS, type DateTimeValue } from '#contract/values.ts'
import { formatDayMonth } from '#contract/words.ts'
import { findNextLesson } from '#features/courses/lesson-model.ts'
import { daysUntil, toLocalTimeMs, weekdayOf } from '#lib/format.ts'
import { useLocalTimeMs } from '#lib/use-now.ts'
import { Button } from '#ui/button.tsx'
import { Row, Text } from '#ui/layout.tsx'
import { useBookedCourses } from '../resource.ts'
import { announceAbsence } from '../sync.ts'

/** Number of days before a lesson from which an absence can be announced. */
const DAYS_AHEAD = 7

/**
 * Tells the instructor that the user cannot attend their next lesson, or can after all, and frees its place for others.
 * @param courseId restricts it to the next lesson of this course
 */
export function AbsenceButton({ courseId }: { courseId?: number }) {
  const { t } = useTranslation(['own-bookings', 'courses'])
  const courses = useBookedCourses(state => state.data)
  const now = useLocalTimeMs()
  const [isSending, setIsSending] = useState(false)
  const lesson = findNextLesson(
    courses.filter(
      ({ id, bookingStatus }) => bookingStatus === BOOKING_STATUS.Booked && (courseId === undefined || id === courseId),
    ),
    now,
  )
  if (!lesson || daysUntil(lesson.startsAt, now) > DAYS_AHEAD) return null
  const { course, startsAt } = lesson
  const ahead = daysUntil(startsAt, now)
  const day =
    ahead === 0
      ? t('absence.today')
      : ahead === 1
        ? t('absence.tomorrow')
        : t('absence.day', { day: t(`courses:day.short.${weekdayOf(startsAt)}`), date: formatDayMonth(startsAt) })
  const isThis = (at: DateTimeValue) => toLocalTimeMs(at) === toLocalTimeMs(startsAt)
  const isAnnounced = course.absences?.some(isThis) ?? false
  const freed = course.freedPlaces?.find(({ at }) => isThis(at))
  const send = async (isAbsent: boolean, isFreed = false) => {
    if (isSending) return
    setIsSending(true)
    await announceAbsence(course.id, startsAt, isAbsent, isFreed)
    setIsSending(false)
  }
  const state = !freed ? 'announced' : freed.isTaken ? 'taken' : 'freed'
  return (
    <Row compact size="s" role="status">
      {isAnnounced && (
        <Text as="span" tone="todo">
          {t(`absence.${state}`, { day })}
        </Text>
      )}
      {isAnnounced && !freed && toLocalTimeMs(startsAt) > now && (
        <Button look="text" aria-disabled={isSending} onClick={() => send(true, true)}>
          {t('absence.free')}
        </Button>
      )}
      {!freed?.isTaken && (
        <Button look="text" aria-disabled={isSending} onClick={() => send(!isAnnounced)}>
          {isAnnounced ? t('absence.withdraw') : t('absence.announce', { day })}
        </Button>
      )}
    </Row>
  )
}
