import { useTranslation } from 'react-i18next'
import type { Course } from '#contract/endpoints/courses.ts'
import { showError, showSuccess } from '#lib/toast.ts'
import { useLanguage } from '#lib/use-language.ts'
import { categoryKey } from '#ui/category-color.ts'
import { IconButton, Text } from '#ui/layout.tsx'
import { ScreenHeader } from '#ui/screen-header.tsx'
import { IconShare2 } from '#ui/shell-icons.ts'
import { localizedTextsOf } from '../model.ts'

/** Opens the device's share sheet, or copies the URL if the Web Share API is missing. */
function ShareButton({ name }: { name: string }) {
  const { t } = useTranslation('courses')
  const share = async () => {
    const url = window.location.href
    try {
      if (navigator.share) return await navigator.share({ title: name, url })
      await navigator.clipboard.writeText(url)
      showSuccess(t('details.shared'))
    } catch (error) {
      // Cancelling the share sheet is not an error.
      if (!(error instanceof DOMException && error.name === 'AbortError')) showError(t('details.shareFailed'))
    }
  }
  return (
    <IconButton type="button" aria-label={t('details.share')} onClick={share}>
      <IconShare2 />
    </IconButton>
  )
}

/**
 * Page header in the colour of the category, with category, season, number and name. Has a generic title while the
 * course is loading.
 */
export function CourseDetailsHeader({ course }: { course: Course | null }) {
  const { t } = useTranslation(['courses', 'shell'])
  const language = useLanguage()
  // The heading element is reused, so that it keeps the focus.
  if (!course) return <ScreenHeader isLow title={t('shell:title.course-details')} kicker={'\u00a0'} />
  const { name, category, season } = localizedTextsOf(course, language)
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
