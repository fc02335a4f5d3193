import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { Course } from '#contract/courses.ts'
import { nameIn } from '#contract/words.ts'
import { formatWeekdaysShort } from '#features/courses/weekday-model.ts'
import { readLanguage } from '#lib/settings.ts'
import { showError, showSuccess } from '#lib/toast.ts'
import { Button } from '#ui/button.tsx'
import { categoryKey } from '#ui/category-color.ts'
import { IconShare2 } from '#ui/shell-icons.ts'
import { drawCoursePicture } from './course-picture.ts'

const colorOf = (button: HTMLElement) => getComputedStyle(button).getPropertyValue('--category')

/** Button that shares a course along with a picture via the system's share dialog, or else copies its link. */
export function ShareCourseButton({ course }: { course: Course }) {
  const { t } = useTranslation('reminders')
  const { t: say } = useTranslation('courses')
  const picture = useRef<File | null>(null)
  const button = useRef<HTMLButtonElement>(null)
  // The picture is drawn in advance, because browsers require the file to be available when the user taps.
  useEffect(() => {
    if (!button.current || !navigator.canShare) return
    drawCoursePicture(course, formatWeekdaysShort(course.weekdays, say), colorOf(button.current)).then(
      drawn => {
        picture.current = drawn
      },
      // If drawing fails, the link is shared without a picture.
      () => undefined,
    )
  }, [course, say])
  const share = async () => {
    const url = `${window.location.origin}/course-details/${course.id}`
    const link = { title: nameIn(readLanguage(), course), url }
    const withPicture = { ...link, files: picture.current ? [picture.current] : [] }
    try {
      if (picture.current && navigator.canShare?.(withPicture)) return await navigator.share(withPicture)
      if (navigator.share) return await navigator.share(link)
      await navigator.clipboard.writeText(url)
      showSuccess(say('details.shared'))
    } catch (error) {
      // Dismissing the share dialog is not an error.
      if (!(error instanceof DOMException && error.name === 'AbortError')) showError(say('details.shareFailed'))
    }
  }
  return (
    <Button
      ref={button}
      look="ghost"
      data-category={categoryKey(course.categoryIcon, course.courseCategoryId)}
      onClick={share}
    >
      <IconShare2 size={22} />
      {t('share')}
    </Button>
  )
}
