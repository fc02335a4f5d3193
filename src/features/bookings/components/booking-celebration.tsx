import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import type { Course } from '#contract/endpoints/courses.ts'
import { futureLessonsOf } from '#contract/lessons.ts'
import { formatDate, formatTime, shortLocation } from '#contract/words.ts'
import { weekdayOf } from '#lib/format.ts'
import { useLocalTimeMs } from '#lib/use-now.ts'
import { wantsMotion } from '#lib/wants-motion.ts'
import { CategoryIllustration } from '#ui/category-figure.tsx'
import { Text } from '#ui/layout.tsx'
import classes from './booking-celebration.module.css'

const FELT_MS = 30

/** Animation after a booking: draws the figure of the course category next to the date of the first lesson. */
export function BookingCelebration({ course }: { course: Course }) {
  const { t } = useTranslation(['own-bookings', 'courses'])
  const [first] = futureLessonsOf(course, useLocalTimeMs())
  useEffect(() => {
    if (wantsMotion()) navigator.vibrate?.(FELT_MS)
  }, [])
  return (
    <div className={classes.cheer}>
      <CategoryIllustration icon={course.categoryIcon} id={course.courseCategoryId} />
      <Text variant="heading" grow>
        {first &&
          t('outcome.first', {
            day: t(`courses:day.short.${weekdayOf(first)}`),
            date: formatDate(first),
            time: formatTime(first),
          })}
        <Text as="small" block>
          {shortLocation(course)}
        </Text>
      </Text>
    </div>
  )
}
