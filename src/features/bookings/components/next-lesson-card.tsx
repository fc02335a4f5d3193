import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { BOOKING_STATUS } from '#contract/values.ts'
import { LessonCard } from '#features/courses/week/lesson-card.tsx'
import { Stack } from '#ui/layout.tsx'
import { useBookedCourses } from '../resource.ts'
import { AbsenceButton } from './absence-button.tsx'
import { LessonPlaces } from './lesson-places.tsx'

export function NextLessonCard() {
  const { t } = useTranslation('own-bookings')
  const courses = useBookedCourses(state => state.data)
  useEffect(() => {
    useBookedCourses.load()
  }, [])

  const booked = courses.filter(({ bookingStatus }) => bookingStatus === BOOKING_STATUS.Booked)
  return (
    <Stack gap="s">
      <LessonCard courses={booked} label={t('mine.next')} hrefOf={courseId => `/course-details/${courseId}`} />
      <AbsenceButton />
      <LessonPlaces />
    </Stack>
  )
}
