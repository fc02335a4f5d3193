import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hasFileCaches } from '#lib/cached-files.ts'
import { useOnline } from '#lib/online.ts'
import { showError } from '#lib/toast.ts'
import { Button } from '#ui/button.tsx'
import { IconCloudCheck, IconCloudDownload } from '#ui/icons.ts'
import { ActionLink } from '#ui/layout.tsx'
import { IconCheck, IconCloudOff } from '#ui/shell-icons.ts'
import { useOfflineDocuments } from '../offline-store.ts'

/**
 * Button that saves a document for offline use or deletes the saved copy. It also indicates that the document is cached
 * automatically, or that it cannot be fetched at present.
 */
export function SaveOfflineButton({ url, title }: { url: string; title: string }) {
  const { t } = useTranslation('reading')
  const { kept, flyers, opened, load, toggle } = useOfflineDocuments()
  const isOnline = useOnline(state => state.isOnline)
  const [isBusy, setIsBusy] = useState(false)
  useEffect(() => {
    if (kept === null) load()
  }, [kept, load])
  if (!hasFileCaches()) return null
  const { href } = new URL(url, window.location.href)
  const isKept = kept?.has(href) ?? false
  if (!isKept && flyers.has(href))
    return (
      <ActionLink as="span">
        <IconCloudCheck size={24} />
        {t('keep.here')}
        <IconCheck size={20} />
      </ActionLink>
    )
  if (kept && !isKept && !isOnline)
    return (
      <ActionLink as="span" tone={opened.has(href) ? undefined : 'muted'} data-missing={!opened.has(href)}>
        {opened.has(href) ? <IconCloudCheck size={24} /> : <IconCloudOff size={24} />}
        {t(opened.has(href) ? 'keep.here' : 'keep.missing')}
      </ActionLink>
    )
  return (
    <Button
      look={isKept ? 'ghost' : 'quiet'}
      isPill
      aria-pressed={isKept}
      aria-label={t('keep.label', { title })}
      disabled={kept === null}
      aria-busy={isBusy}
      onClick={async () => {
        // Not disabled, because a disabled button would lose the focus.
        if (isBusy) return
        setIsBusy(true)
        // The usual cause is a full disk, which the browser's own message does not explain to the user.
        await toggle(url).catch(() => showError(t('keep.failed')))
        setIsBusy(false)
      }}
    >
      {isKept ? <IconCloudCheck size={24} /> : <IconCloudDownload size={24} />}
      {t(isKept ? 'keep.here' : 'keep.keep')}
      {isKept && <IconCheck size={20} />}
    </Button>
  )
}
