import { Component, type ReactNode, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import header from '#app/shell/header.module.css'
import page from '#app/shell/page.module.css'
import { NoResponseError } from '#lib/api-error.ts'
import { branding } from '#lib/branding.ts'
import { focusHeading } from '#lib/focus.ts'
import { useOnline } from '#lib/online.ts'
import { clearStores } from '#lib/storage.ts'
import { Button, ButtonLink } from '#ui/button.tsx'
import { Row } from '#ui/layout.tsx'
import { ErrorIllustration } from '#ui/lost-ball.tsx'
import { ScreenHeader } from '#ui/screen-header.tsx'
import { reportFault } from './report-fault.ts'

type State = { error: Error | null; isReported: boolean }

/** Fallback for a screen that throws: offers a way to continue and reports the error to the department. */
export class ErrorBoundary extends Component<{ children: ReactNode }, State> {
  override state: State = { error: null, isReported: false }

  static getDerivedStateFromError(error: Error) {
    return { error }
  }

  override async componentDidCatch(error: Error) {
    this.setState({ isReported: await reportFault(error) })
  }

  override render() {
    const { error, isReported } = this.state
    return error ? <FaultPage error={error} isReported={isReported} /> : this.props.children
  }
}

/**
 * Deletes cached programme data, which may have caused the error, if it can be fetched again (online). Unsent
 * attendance is preserved.
 */
async function startAfresh(): Promise<void> {
  // The page is reloaded even if the cached data could not be deleted.
  if (useOnline.getState().isOnline) await clearStores().catch(() => undefined)
  window.location.reload()
}

/**
 * Error page that replaces the whole page, including the menus. A different message is shown if a chunk could not be
 * loaded.
 */
function FaultPage({ error, isReported }: { error: Error; isReported: boolean }) {
  const { t } = useTranslation('shell')
  const isAway = error instanceof NoResponseError
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
        <Row as="p" mt="l">
          <Button look="primary" onClick={isAway ? () => window.location.reload() : startAfresh}>
            {t('fault.reload')}
          </Button>
          {/* Links cause a full page load because the app itself may be broken. */}
          <ButtonLink href="/home" look="light" isOutside>
            {t('fault.start')}
          </ButtonLink>
        </Row>
      </ScreenHeader>
      <ErrorIllustration className={page.figure} />
    </main>
  )
}
