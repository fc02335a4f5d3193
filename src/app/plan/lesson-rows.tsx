import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { formatDayMonth, formatTime, nameInLanguage } from '#contract/words.ts'
import { lessonPlaceOf } from '#features/courses/lesson-model.ts'
import { daysUntil, weekdayOf } from '#lib/format.ts'
import { useLanguage } from '#lib/use-language.ts'
import { categoryKey } from '#ui/category-color.ts'
import { Stack, Tag, Text } from '#ui/layout.tsx'
import { styles } from '#ui/styles.ts'
import classes from './plan.module.css'
import type { PlanDay, PlanLesson } from './plan-model.ts'

type LessonRowProps = { lesson: PlanLesson; isPast: boolean }

function LessonRow({ lesson: { course, startsAt, href, part, isCancelled }, isPast }: LessonRowProps) {
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
        data-part={isCancelled ? 'cancelled' : isPast ? 'past' : part}
      >
        <b className={styles({ base: 'dateBadge' })}>{formatTime(startsAt)}</b>
        <Text as="span" grow>
          <Text as="span" variant="name">
            {nameInLanguage(language, course)}
          </Text>
          <Text as="small" size="s">
            {lessonPlaceOf(course, startsAt)}
          </Text>
        </Text>
        {state && <Tag>{state}</Tag>}
      </Link>
    </li>
  )
}

/**
 * The lessons on one day of the schedule.
 * @param todayMs start of the current day in the portal's time zone, in the unit of `toLocalTimeMs`
 */
export function LessonRows({ day, lessons, todayMs }: PlanDay & { todayMs: number }) {
  const { t } = useTranslation(['plan', 'courses'])
  const ahead = daysUntil(day, todayMs)
  const near = ahead === 0 ? t('today') : ahead === 1 ? t('tomorrow') : null
  return (
    <Stack as="section" gap="s">
      <Text as="h3" flush>
        {near && `${near}, `}
        {t(`courses:day.${near ? 'short' : 'long'}.${weekdayOf(day)}`)} {formatDayMonth(day)}
      </Text>
      <Stack as="ul" gap="s">
        {lessons.map(lesson => (
          <LessonRow
            key={`${lesson.course.id} ${lesson.part} ${formatTime(lesson.startsAt)}`}
            lesson={lesson}
            isPast={ahead < 0}
          />
        ))}
      </Stack>
    </Stack>
  )
}
