import { useTranslation } from 'react-i18next'
import { IconButton } from '#components/layout.tsx'
import { IconShare2 } from '#components/shell-icons.ts'
import { showError, showSuccess } from '#lib/toast.ts'

/** Opens the device's share sheet, or copies the URL where the Web Share API is missing. */
export function ShareButton({ name }: { name: string }) {
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
