import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { categoryKey } from '#components/category-color.ts'
import { piece } from '#components/pieces.ts'
import { formatDayMonth, formatTime, nameIn, shortLocation } from '#contract/words.ts'
import { daysUntil, weekdayOf } from '#lib/format.ts'
import { useLanguage } from '#lib/use-language.ts'
import classes from './plan.module.css'
import type { PlanDay, PlanLesson } from './plan-model.ts'

function LessonRow({ lesson: { course, startsAt, href, part, isCancelled } }: { lesson: PlanLesson }) {
  const { t } = useTranslation('plan')
  const language = useLanguage()
  const state = isCancelled
    ? t('cancelled')
    : part === 'waiting'
      ? t('waiting', { position: course.waitingListPosition })
      : part === 'taught'
        ? t('record')
        : ''
  return (
    <li>
      <Link
        href={href}
        className={classes.lesson}
        data-category={categoryKey(course.categoryIcon, course.courseCategoryId)}
        data-part={isCancelled ? 'cancelled' : part}
      >
        <b className={piece('when')}>{formatTime(startsAt)}</b>
        <span className={piece('grow')}>
          <span className={piece('name')}>{nameIn(language, course)}</span>
          <small className={piece('small')}>{shortLocation(course)}</small>
        </span>
        {state && <span className={piece('tag')}>{state}</span>}
      </Link>
    </li>
  )
}

/** One day of a plan. @param todayMs midnight of the current day on the portal's wall clock */
export function LessonRows({ day, lessons, todayMs }: PlanDay & { todayMs: number }) {
  const { t } = useTranslation(['plan', 'courses'])
  const ahead = daysUntil(day, todayMs)
  const near = ahead === 0 ? t('today') : ahead === 1 ? t('tomorrow') : null
  return (
    <section className={piece('stack', 'close')}>
      <h3 className={piece('flush')}>
        {near && `${near}, `}
        {t(`courses:day.${near ? 'short' : 'long'}.${weekdayOf(day)}`)} {formatDayMonth(day)}
      </h3>
      <ul className={piece('stack', 'close')}>
        {lessons.map(lesson => (
          <LessonRow key={`${lesson.course.id} ${lesson.part} ${formatTime(lesson.startsAt)}`} lesson={lesson} />
        ))}
      </ul>
    </section>
  )
}
