import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { piece } from '#components/pieces.ts'
import type { Course } from '#contract/courses.ts'
import { nameIn } from '#contract/words.ts'
import { formatLessonChange } from '#features/courses/change-model.ts'
import { useLanguage } from '#lib/use-language.ts'
import { useToday } from '#lib/use-now.ts'
import { changesOf } from './plan-model.ts'

export function PlanChanges({ own, taught }: { own: readonly Course[]; taught: readonly Course[] }) {
  const { t } = useTranslation('plan')
  const { t: say } = useTranslation('courses')
  const language = useLanguage()
  const todayMs = useToday()
  const courses = [...taught, ...own.filter(({ id }) => !taught.some(course => course.id === id))]
  const said = [
    ...courses
      .filter(({ cancelled }) => cancelled)
      .map(course => ({ course, text: t('allOff', { name: nameIn(language, course) }) })),
    ...changesOf(courses, todayMs).map(({ course, change }) => ({
      course,
      text: `${nameIn(language, course)}: ${formatLessonChange(change, say, language)}`,
    })),
  ]
  if (said.length === 0) return null
  return (
    <section className={piece('notice')}>
      <h2 className={piece('heading')}>{t('changes')}</h2>
      <ul>
        {said.map(({ course, text }) => (
          <li key={text}>
            <Link href={`/course-details/${course.id}`} className={piece('tap', 'quiet')}>
              {text}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
