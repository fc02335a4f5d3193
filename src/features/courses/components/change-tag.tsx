import { useTranslation } from 'react-i18next'
import type { Course } from '#contract/courses.ts'
import { useLanguage } from '#lib/use-language.ts'
import { formatLessonChange } from '../change-model.ts'
import { useCourseTexts } from '../resource.ts'

type Props = { course: Pick<Course, 'id'> & Partial<Pick<Course, 'changes'>>; className: string | undefined }

/** The next rescheduled or cancelled lesson, as a list item. */
export function LessonChangeTag({ course, className }: Props) {
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
