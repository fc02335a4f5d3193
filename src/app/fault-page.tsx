import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Button, ButtonLink } from '#components/button.tsx'
import { LostBall } from '#components/lost-ball.tsx'
import { piece } from '#components/pieces.ts'
import { ScreenHeader } from '#components/screen-header.tsx'
import { NoAnswerError } from '#lib/api-error.ts'
import { branding } from '#lib/branding.ts'
import { focusHeading } from '#lib/focus.ts'
import { useOnline } from '#lib/online.ts'
import { clearStores } from '#lib/storage.ts'
import header from './shell/header.module.css'
import page from './shell/page.module.css'

/** What the device keeps of the programme may be the cause; with a network it is fetched anew. Unsent attendance stays. */
async function startAfresh(): Promise<void> {
  // Whatever stays: the page is loaded anew in any case.
  if (useOnline.getState().isOnline) await clearStores().catch(() => undefined)
  window.location.reload()
}

/** Stands in for a page that broke, menus included. A page that could not be fetched says so instead. */
export function FaultPage({ error, isReported }: { error: Error; isReported: boolean }) {
  const { t } = useTranslation('shell')
  const isAway = error instanceof NoAnswerError
  const title = t(isAway ? 'fault.awayTitle' : 'fault.title')
  const text = t(isAway ? 'fault.awayText' : 'fault.text')
  useEffect(() => {
    document.title = `${title} · ${branding.portalName}`
    focusHeading()
  }, [title])
  return (
    <main className={page.main}>
      <ScreenHeader
        kicker={
          <span className={header.brand}>
            <img src="/icons/icon.svg" alt="" width="32" height="32" /> {branding.portalName}
          </span>
        }
        title={title}
        lead={isReported ? `${text} ${t('fault.reported')}` : text}
      >
        <p className={piece('row', 'above')}>
          <Button look="primary" onClick={isAway ? () => window.location.reload() : startAfresh}>
            {t('fault.reload')}
          </Button>
          {/* A link of the browser: the app itself may be what broke. */}
          <ButtonLink href="/home" look="light" isOutside>
            {t('fault.start')}
          </ButtonLink>
        </p>
      </ScreenHeader>
      <LostBall className={page.figure} />
    </main>
  )
}
