import { useTranslation } from 'react-i18next'
import { categoryKey } from '#components/category-color.ts'
import { piece } from '#components/pieces.ts'
import { ScreenHeader } from '#components/screen-header.tsx'
import type { Course } from '#contract/courses.ts'
import { useLanguage } from '#lib/use-language.ts'
import { textsOf } from '../model.ts'
import { ShareButton } from './share-button.tsx'

/** Category, season, number and name on the category's colour; only that it is a course while there is none. */
export function DetailsHero({ course }: { course: Course | null }) {
  const { t } = useTranslation(['courses', 'shell'])
  const language = useLanguage()
  // The heading stays the same element, and with it the focus, at the same place.
  if (!course) return <ScreenHeader isLow title={t('shell:title.course-details')} kicker={'\u00a0'} />
  const { name, category, season } = textsOf(course, language)
  return (
    <ScreenHeader
      isLow
      title={name}
      kicker={
        <>
          {category} · {season} ·{' '}
          <span className={piece('whole')}>{t('details.number', { number: course.number })}</span>
        </>
      }
      category={categoryKey(course.categoryIcon, course.courseCategoryId)}
    >
      <ShareButton name={name} />
    </ScreenHeader>
  )
}
