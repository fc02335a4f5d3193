import { useTranslation } from 'react-i18next'
import { categoryKey } from '#components/category-color.ts'
import { CategoryFigure } from '#components/category-figure.tsx'
import { piece } from '#components/pieces.ts'
import { IconCheck } from '#components/shell-icons.ts'
import type { Course } from '#contract/courses.ts'
import { futureLessonsOf } from '#contract/lessons.ts'
import { formatDate, formatTime, shortLocation } from '#contract/words.ts'
import { weekdayOf } from '#lib/format.ts'
import { useWallClock } from '#lib/use-now.ts'
import classes from './booking-celebration.module.css'

/** Celebration after a booking: animated court figure, check mark and the first lesson. */
export function BookingCelebration({ course }: { course: Course }) {
  const { t } = useTranslation(['own-bookings', 'courses'])
  const [first] = futureLessonsOf(course, useWallClock())
  return (
    <div
      className={`${piece('box', 'row', 'tinted')} ${classes.cheer}`}
      data-category={categoryKey(course.categoryIcon, course.courseCategoryId)}
    >
      <CategoryFigure icon={course.categoryIcon} id={course.courseCategoryId} />
      <span className={`${piece('round', 'sunny')} ${classes.tick}`} aria-hidden>
        <IconCheck size={34} stroke={3.2} />
      </span>
      <p className={piece('heading', 'grow', 'flush')}>
        {first &&
          t('outcome.first', {
            day: t(`courses:day.short.${weekdayOf(first)}`),
            date: formatDate(first),
            time: formatTime(first),
          })}
        <small className={piece('block')}>{shortLocation(course)}</small>
      </p>
    </div>
  )
}
