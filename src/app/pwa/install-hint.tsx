import { useTranslation } from 'react-i18next'
import { Button } from '#components/button.tsx'
import { piece } from '#components/pieces.ts'
import { branding } from '#lib/branding.ts'
import { useInstall } from './install.ts'

/** Hint how to install the app; on the start page until installed or dismissed. */
export function InstallHint() {
  const { t } = useTranslation('offline')
  const { way, install, dismiss } = useInstall()
  if (way === null) return null
  const title = t('install.title', { portal: branding.portalName })
  return (
    <section className={piece('box', 'row', 'flush')} aria-label={title}>
      <img src="/icons/icon.svg" alt="" width="48" height="48" />
      <p className={piece('grow')}>
        <b>{title}</b> {t(way === 'manual' ? 'install.manual' : 'install.text')}
      </p>
      <div className={piece('row')}>
        <Button look="quiet" isPill onClick={dismiss}>
          {t('install.dismiss')}
        </Button>
        {way === 'prompt' && (
          <Button look="primary" isPill onClick={install}>
            {t('install.apply')}
          </Button>
        )}
      </div>
    </section>
  )
}
