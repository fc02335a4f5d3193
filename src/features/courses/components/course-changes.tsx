import { useTranslation } from 'react-i18next'
import pieces from '#components/pieces.module.css'
import type { Course } from '#contract/courses.ts'
import { useLanguage } from '#lib/use-language.ts'
import { formatLessonChange } from '../change-model.ts'

export function CourseChanges({ course }: { course: Pick<Course, 'changes'> }) {
  const { t } = useTranslation('courses')
  const language = useLanguage()
  if (course.changes.length === 0) return null
  return (
    <section className={pieces.notice}>
      <h2>{t('change.title')}</h2>
      <ul>
        {course.changes.map(change => {
          const said = formatLessonChange(change, t, language)
          return <li key={said}>{said}</li>
        })}
      </ul>
    </section>
  )
}
