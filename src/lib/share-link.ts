import { showError, showSuccess } from './toast.ts'

/**
 * Shares a link by the system's share dialog, or else copies it.
 * @param texts messages about the copy
 */
export async function shareLink(
  link: ShareData & { url: string },
  texts: { copied: string; failed: string },
): Promise<void> {
  try {
    if (navigator.share) return await navigator.share(link)
    await navigator.clipboard.writeText(link.url)
    showSuccess(texts.copied)
  } catch (error) {
    // Dismissing the share dialog is not an error.
    if (!(error instanceof DOMException && error.name === 'AbortError')) showError(texts.failed)
  }
}
