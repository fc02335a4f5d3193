import { IconCloudCheck, IconCloudDownload } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hasFileCaches } from '#lib/kept-files.ts'
import { showError } from '#lib/toast.ts'
import { useOffline } from '../offline-store.ts'
import classes from './keep-button.module.css'

/** Keeps a document on this device, or no longer. */
export function KeepButton({ url, title }: { url: string; title: string }) {
  const { t } = useTranslation('content')
  const { kept, load, toggle } = useOffline()
  const [isBusy, setIsBusy] = useState(false)
  useEffect(() => {
    if (kept === null) load()
  }, [kept, load])
  if (!hasFileCaches()) return null
  const isKept = kept?.has(new URL(url, window.location.href).href) ?? false
  const Icon = isKept ? IconCloudCheck : IconCloudDownload
  return (
    <button
      type="button"
      className={classes.keep}
      aria-pressed={isKept}
      aria-label={t('keep.label', { title })}
      disabled={kept === null}
      aria-busy={isBusy}
      onClick={async () => {
        // A disabled button would lose the focus.
        if (isBusy) return
        setIsBusy(true)
        await toggle(url).catch(() => showError(t('keep.failed')))
        setIsBusy(false)
      }}
    >
      <Icon size={24} aria-hidden />
      {t('keep.keep')}
    </button>
  )
}
