import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { categoryKey } from '#components/category-color.ts'
import { piece } from '#components/pieces.ts'
import type { Course } from '#contract/courses.ts'
import type { DateTimeValue } from '#contract/values.ts'
import { formatDayMonth, formatTime, nameIn, shortLocation } from '#contract/words.ts'
import { daysUntil, sayDay, weekdayOf } from '#lib/format.ts'
import { useLanguage } from '#lib/use-language.ts'
import { useWallClock } from '#lib/use-now.ts'
import { nextLesson } from '../lesson-model.ts'

type Props = {
  courses: readonly Course[]
  /** what the next of their lessons is to the reader */
  label: string
  /** where the card leads to */
  hrefOf: (courseId: number, startsAt: DateTimeValue) => string
  /** what it leads to, where that is not the course itself */
  action?: string
  /** how long a lesson stays after its end */
  afterMs?: number
}

/** The next lesson of some courses at one glance: when, what, where. Nothing where none comes. */
export function LessonCard({ courses, label, hrefOf, action, afterMs }: Props) {
  const { t } = useTranslation('courses')
  const language = useLanguage()
  const now = useWallClock()
  const lesson = nextLesson(courses, now, afterMs)
  if (!lesson) return null
  const { course, startsAt } = lesson
  const day = sayDay(startsAt, now, language)
  const isNear = daysUntil(startsAt, now) <= 1
  return (
    <Link
      href={hrefOf(course.id, startsAt)}
      className={piece('beside', 'plain', 'ink', 'slim', 'bare')}
      data-category={categoryKey(course.categoryIcon, course.courseCategoryId)}
    >
      <span className={piece('when')}>
        <span className={piece('capital')}>
          {isNear ? day : `${t(`day.short.${weekdayOf(startsAt)}`)} ${formatDayMonth(startsAt)}`}
        </span>
        <span className={piece('title')}>{formatTime(startsAt)}</span>
      </span>
      <span className={piece('words', 'joined', 'small')}>
        <span>{isNear ? label : `${label}, ${day}`}</span>
        <b className={piece('heading', 'ink')}>{nameIn(language, course)}</b>
        <span>{shortLocation(course)}</span>
        {action && (
          <span className={piece('name', 'signal')}>
            {action} <span aria-hidden>›</span>
          </span>
        )}
      </span>
    </Link>
  )
}
