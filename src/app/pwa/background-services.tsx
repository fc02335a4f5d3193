import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { isInstalled } from '#lib/installed-app.ts'
import { Button } from '#ui/button.tsx'
import { followColorScheme } from '#ui/color-scheme.ts'
import { Card, Row } from '#ui/layout.tsx'
import classes from './prompt.module.css'
import { PullToRefresh } from './pull-to-refresh.tsx'
import { useUpdate } from './update.ts'

function UpdatePrompt() {
  const { t } = useTranslation('offline')
  const { isWaiting, apply, later } = useUpdate()
  return (
    <div role="status" data-fleeting>
      {isWaiting && (
        <Card flush layout="stack" className={classes.prompt} aria-label={t('update.title')}>
          <p>
            <b>{t('update.title')}</b> {t('update.text')}
          </p>
          <Row justify="between">
            <Button look="quiet" isPill onClick={later}>
              {t('update.later')}
            </Button>
            <Button look="primary" isPill onClick={apply}>
              {t('update.apply')}
            </Button>
          </Row>
        </Card>
      )}
    </div>
  )
}

export function BackgroundServices() {
  useEffect(followColorScheme, [])
  return (
    <>
      {isInstalled() && <PullToRefresh />}
      <UpdatePrompt />
    </>
  )
}
