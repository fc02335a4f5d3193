import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { categoryColor } from '#components/category-color.ts'
import type { Course } from '#contract/courses.ts'
import { pickText, whereOf } from '#contract/words.ts'
import { formatDayMonth, formatTime, wallClockMs, weekdayOf } from '#lib/format.ts'
import { todayOf, wallClockAt } from '#lib/portal-time.ts'
import { useLanguage } from '#lib/use-language.ts'
import { nextLesson } from '../lesson-model.ts'
import classes from './lesson-card.module.css'

const DAY_MS = 86_400_000

type Props = {
  courses: readonly Course[]
  /** what the next of their lessons is to the reader */
  label: string
  /** the route the card leads to, before the course's id */
  route: string
  /** what it leads to, where that is not the course itself */
  action?: string
  /** how long a lesson stays after its end */
  afterMs?: number
}

/** The next lesson of some courses at one glance: when, what, where. Nothing where none comes. */
export function LessonCard({ courses, label, route, action, afterMs }: Props) {
  const { t } = useTranslation('courses')
  const language = useLanguage()
  const lesson = nextLesson(courses, wallClockAt(Date.now()), afterMs)
  if (!lesson) return null
  const { course, startsAt } = lesson
  const daysAhead = Math.floor((wallClockMs(startsAt) - todayOf(Date.now())) / DAY_MS)
  const weekday = t(`day.short.${weekdayOf(startsAt)}`)
  const day = daysAhead === 0 ? t('lesson.today') : daysAhead === 1 ? t('lesson.tomorrow') : weekday
  return (
    <Link
      href={`${route}/${course.id}`}
      className={classes.card}
      style={{ '--category': categoryColor(course.categoryIcon, course.courseCategoryId) }}
    >
      <span className={classes.when}>
        <span>{daysAhead > 1 ? `${day} ${formatDayMonth(startsAt)}` : day}</span>
        <b>{formatTime(startsAt)}</b>
      </span>
      <span className={classes.what}>
        <span className={classes.label}>{label}</span>
        <b>{pickText(language, course.name, course.name2)}</b>
        <span>{whereOf(course)}</span>
        {action && (
          <span className={classes.action}>
            {action} <span aria-hidden>›</span>
          </span>
        )}
      </span>
    </Link>
  )
}
