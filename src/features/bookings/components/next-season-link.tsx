import { useTranslation } from 'react-i18next'
import type { Course } from '#contract/endpoints/courses.ts'
import { formatDayMonth, formatTime } from '#contract/words.ts'
import { useCourseIndex } from '#features/courses/resource.ts'
import { weekdayOf } from '#lib/format.ts'
import { ButtonLink } from '#ui/button.tsx'
import { findNextSeason } from '../next-season-model.ts'
import { useBookedCourses } from '../resource.ts'

/** Link from one of the user's courses to the same course in a later season. */
export function NextSeasonLink({ course }: { course: Course }) {
  const { t } = useTranslation(['own-bookings', 'courses'])
  const index = useCourseIndex(state => state.data)
  const own = useBookedCourses(state => state.data)
  const next = findNextSeason(course, index, own)
  if (!next) return null
  return (
    <ButtonLink look="text" href={`/course-details/${next.id}`}>
      {t('mine.nextSeason', {
        day: t(`courses:day.short.${weekdayOf(next.start)}`),
        date: formatDayMonth(next.start),
        time: formatTime(next.startTime),
      })}
    </ButtonLink>
  )
}
