import { useTranslation } from 'react-i18next'
import type { Course } from '#contract/endpoints/courses.ts'
import { futureLessonsOf } from '#contract/lessons.ts'
import { formatDayMonth, formatTime } from '#contract/words.ts'
import { weekdayOf } from '#lib/format.ts'
import { useLanguage } from '#lib/use-language.ts'
import { useLocalTimeMs, useToday } from '#lib/use-now.ts'
import { Box } from '#ui/layout.tsx'
import { formatLessonChange } from '../change-model.ts'
import { type CourseCardData, isCourseOver } from '../model.ts'
import { useCourseTexts } from '../resource.ts'
import classes from './course-status.module.css'

/** Shows the next lesson of one of the user's own courses, and schedule changes. */
export function OwnLessons({ course }: { course: CourseCardData }) {
  const { t } = useTranslation('courses')
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
