import { useTranslation } from 'react-i18next'
import { categoryKey } from '#components/category-color.ts'
import { Text } from '#components/layout.tsx'
import { ScreenHeader } from '#components/screen-header.tsx'
import type { Course } from '#contract/courses.ts'
import { useLanguage } from '#lib/use-language.ts'
import { textsOf } from '../model.ts'
import { ShareButton } from './share-button.tsx'

/**
 * Page header on the category's colour: category, season, number and name; a generic title while the course is loading.
 */
export function DetailsHero({ course }: { course: Course | null }) {
  const { t } = useTranslation(['courses', 'shell'])
  const language = useLanguage()
  // The heading element is reused, so it keeps the focus.
  if (!course) return <ScreenHeader isLow title={t('shell:title.course-details')} kicker={'\u00a0'} />
  const { name, category, season } = textsOf(course, language)
  return (
    <ScreenHeader
      isLow
      title={name}
      kicker={
        <>
          {category} · {season} ·{' '}
          <Text as="span" nowrap>
            {t('details.number', { number: course.number })}
          </Text>
        </>
      }
      category={categoryKey(course.categoryIcon, course.courseCategoryId)}
    >
      <ShareButton name={name} />
    </ScreenHeader>
  )
}
