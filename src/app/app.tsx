import { useEffect, useLayoutEffect, useState } from 'react'
import { Router, useLocation } from 'wouter'
import { Page } from '#app/shell/page.tsx'
import { useDeletionReport } from '#features/accounts/deletion-store.ts'
import { BookingOutcome } from '#features/bookings/components/booking-outcome.tsx'
import { usePortalConfig } from '#features/system/resource.ts'
import { navigateFromOverlay } from '#lib/overlay-history.ts'
import { lazyComponent, lazyComponentAfterFirstRender } from '#ui/lazy-screen.tsx'
import { ErrorBoundary } from './error-boundary.tsx'
import { useLogoutConfirmation } from './logout.ts'
import { navigateWithTransition } from './motion.ts'
import { findRoute } from './routes.tsx'
import '@mantine/core/styles/global.layer.css'
import '@mantine/core/styles/UnstyledButton.layer.css'
import '@mantine/core/styles/CloseButton.layer.css'
import { useTranslation } from 'react-i18next'
import classes from '#app/shell/loader.module.css'
import { useProgress } from '#lib/progress.ts'
import { Stack } from '#ui/layout.tsx'
import { styles } from '#ui/styles.ts'

const { screen: LogoutConfirmation } = lazyComponent(() =>
  import('./shell/logout-confirmation.tsx').then(m => m.LogoutConfirmation),
)

const { screen: DeletionReport } = lazyComponent(() =>
  import('./shell/deletion-report.tsx').then(m => m.DeletionReport),
)

const BackgroundServices = lazyComponentAfterFirstRender(() =>
  import('./pwa/background-services.tsx').then(m => m.BackgroundServices),
)

/** Messages that are shown before this chunk is loaded are queued. */
const Toasts = lazyComponentAfterFirstRender(() => import('./shell/toasts.tsx').then(m => m.Toasts))

function Logout() {
  const isAsking = useLogoutConfirmation(state => state.unsent > 0)
  return isAsking ? <LogoutConfirmation /> : null
}

function Deletion() {
  const isDeleted = useDeletionReport(state => state.kept !== null)
  return isDeleted ? <DeletionReport /> : null
}

/** Renders the current route in a persistent shell. Everything is remounted when the portal's time zone changes. */
function CurrentPage() {
  const [location] = useLocation()
  const timeZone = usePortalConfig(state => state.data.timeZone)
  return <Page key={timeZone} route={findRoute(location)} />
}

const navigateSmoothly: typeof navigateFromOverlay = (navigate, path, options) =>
  navigateFromOverlay(
    (to, chosen) => navigateWithTransition(to, () => navigate(to, chosen), chosen?.replace),
    path,
    options,
  )

/** @param onMade called after the app is mounted and before the first paint */
export function App({ onMade }: { onMade: () => void }) {
  useLayoutEffect(onMade, [onMade])
  return (
    <>
      <ErrorBoundary>
        <Router aroundNav={navigateSmoothly}>
          <CurrentPage />
          <BookingOutcome />
          <Loader />
          <Logout />
          <Deletion />
        </Router>
      </ErrorBoundary>
      <BackgroundServices />
      <Toasts />
    </>
  )
}

/** Shorter waits show no loader, because a flash would be distracting. */
const DELAY_MS = 300

function Loader() {
  const { t } = useTranslation('shell')
  const isRunning = useProgress(state => state.running > 0)
  const [isShown, setIsShown] = useState(false)
  useEffect(() => {
    if (!isRunning) return setIsShown(false)
    const timer = setTimeout(() => setIsShown(true), DELAY_MS)
    return () => clearTimeout(timer)
  }, [isRunning])
  return (
    <div role="status" data-fleeting>
      {isShown && (
        <Stack variant="name" tone="ink" gap="l" align="center" className={classes.loader}>
          <span className={styles({ base: 'spinner', size: 'xl' })} aria-hidden />
          {t('loading')}
        </Stack>
      )}
    </div>
  )
}
