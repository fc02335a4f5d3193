import { IconShare2 } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Button } from '#components/button.tsx'
import { showError, showSuccess } from '#lib/toast.ts'

/** Tells a colleague of a course, wherever the person is: by the device's own way, or by a copied link. */
export function ShareCourseButton({ courseId, name }: { courseId: number; name: string }) {
  const { t } = useTranslation(['reminders', 'courses'])
  const share = async () => {
    const url = `${window.location.origin}/course-details/${courseId}`
    try {
      if (navigator.share) return await navigator.share({ title: name, url })
      await navigator.clipboard.writeText(url)
      showSuccess(t('courses:details.shared'))
    } catch (error) {
      // Closing the device's sheet is no failure.
      if (!(error instanceof DOMException && error.name === 'AbortError')) showError(t('courses:details.shareFailed'))
    }
  }
  return (
    <Button look="ghost" onClick={share}>
      <IconShare2 size={22} aria-hidden />
      {t('share')}
    </Button>
  )
}
