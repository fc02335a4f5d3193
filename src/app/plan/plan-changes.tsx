import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { Notice, Text } from '#components/layout.tsx'
import { styles } from '#components/styles.ts'
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
    <Notice as="section">
      <Text as="h2" variant="heading">
        {t('changes')}
      </Text>
      <ul>
        {said.map(({ course, text }) => (
          <li key={text}>
            <Link href={`/course-details/${course.id}`} className={styles({ base: 'tapTarget', quiet: true })}>
              {text}
            </Link>
          </li>
        ))}
      </ul>
    </Notice>
  )
}
