import { useTranslation } from 'react-i18next'
import type { Course, LessonChange } from '#contract/endpoints/courses.ts'
import { useLanguage } from '#lib/use-language.ts'
import { Notice, Text } from '#ui/layout.tsx'
import { formatLessonChange, formatLessonStart, lessonChangeNoteOf, movedLessonDays } from '../change-model.ts'

function Change({ change }: { change: LessonChange }) {
  const { t } = useTranslation('courses')
  const language = useLanguage()
  const moved = movedLessonDays(change)
  if (!moved) return formatLessonChange(change, t, language)
  return (
    <>
      <s>{formatLessonStart(moved.from, t)}</s> {t('change.movedTo')} <b>{formatLessonStart(moved.to, t)}</b>
      {lessonChangeNoteOf(change, language)}
    </>
  )
}

/** List of changed lessons. The original date of a moved lesson is struck through. */
export function CourseChanges({ course }: { course: Pick<Course, 'changes'> }) {
  const { t } = useTranslation('courses')
  if (course.changes.length === 0) return null
  return (
    <Notice as="section">
      <Text as="h2" variant="heading">
        {t('change.title')}
      </Text>
      <ul>
        {course.changes.map(change => (
          <li key={`${change.kind} ${formatLessonStart(change.at, t)}`}>
            <Change change={change} />
          </li>
        ))}
      </ul>
    </Notice>
  )
}
