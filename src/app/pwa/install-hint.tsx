import { useTranslation } from 'react-i18next'
import { branding } from '#lib/branding.ts'
import { Button } from '#ui/button.tsx'
import { Card, Row, Text } from '#ui/layout.tsx'
import { useInstallPrompt } from './install.ts'

/** Explains how to install the app. Shown on the start page until the app is installed or the hint is dismissed. */
export function InstallHint() {
  const { t } = useTranslation('offline')
  const { way, install, dismiss } = useInstallPrompt()
  if (way === null) return null
  const title = t('install.title', { portal: branding.portalName })
  return (
    <Card flush layout="row" aria-label={title}>
      <img src="/icons/icon.svg" alt="" width="48" height="48" />
      <Text grow>
        <b>{title}</b> {t(way === 'manual' ? 'install.manual' : 'install.text')}
      </Text>
      <Row>
        <Button look="quiet" isPill onClick={dismiss}>
          {t('install.dismiss')}
        </Button>
        {way === 'prompt' && (
          <Button look="primary" isPill onClick={install}>
            {t('install.apply')}
          </Button>
        )}
      </Row>
    </Card>
  )
}
