import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { Course } from '#contract/endpoints/courses.ts'
import type { DateTimeValue } from '#contract/values.ts'
import { formatDayMonth, formatTime, nameInLanguage } from '#contract/words.ts'
import { daysUntil, formatRelativeDay, weekdayOf } from '#lib/format.ts'
import { useLanguage } from '#lib/use-language.ts'
import { useLocalTimeMs } from '#lib/use-now.ts'
import { categoryKey } from '#ui/category-color.ts'
import { CardBody, Text } from '#ui/layout.tsx'
import { styles } from '#ui/styles.ts'
import { findNextLesson, lessonPlaceOf } from '../lesson-model.ts'

type Props = {
  courses: readonly Course[]
  /** what the lesson is to the user, such as "your next lesson" */
  label: string
  /** link target of the card */
  hrefOf: (courseId: number, startsAt: DateTimeValue) => string
  /** link text, if the link does not lead to the course itself */
  action?: string
  /** how long after its end a lesson is still shown */
  afterMs?: number
}

/** The next lesson of the given courses, with time, name and venue. Renders nothing if there is none. */
export function LessonCard({ courses, label, hrefOf, action, afterMs }: Props) {
  const { t } = useTranslation('courses')
  const language = useLanguage()
  const now = useLocalTimeMs()
  const lesson = findNextLesson(courses, now, afterMs)
  if (!lesson) return null
  const { course, startsAt } = lesson
  const day = formatRelativeDay(startsAt, now, language)
  const isNear = daysUntil(startsAt, now) <= 1
  return (
    <Link
      href={hrefOf(course.id, startsAt)}
      className={styles({ base: 'pictureRow', plain: true, tone: 'ink', width: 'slim', bare: true })}
      data-category={categoryKey(course.categoryIcon, course.courseCategoryId)}
    >
      <span className={styles({ base: 'dateBadge' })}>
        <Text as="span" capitalized>
          {isNear ? day : `${t(`day.short.${weekdayOf(startsAt)}`)} ${formatDayMonth(startsAt)}`}
        </Text>
        <Text as="span" variant="title">
          {formatTime(startsAt)}
        </Text>
      </span>
      <CardBody as="span" gap="none" size="s">
        <span>{isNear ? label : `${label}, ${day}`}</span>
        <Text as="b" variant="heading" tone="ink">
          {nameInLanguage(language, course)}
        </Text>
        <span>{lessonPlaceOf(course, startsAt)}</span>
        {action && (
          <Text as="span" variant="name" tone="signal">
            {action} <span aria-hidden>›</span>
          </Text>
        )}
      </CardBody>
    </Link>
  )
}
