import { useLayoutEffect } from 'react'
import { Router, useLocation } from 'wouter'
import { useDeletionReport } from '#features/accounts/deletion-store.ts'
import { BookingOutcome } from '#features/bookings/components/booking-outcome.tsx'
import { useConfig } from '#features/system/resource.ts'
import { navigateFromOverlay } from '#lib/overlay-history.ts'
import { lazyPart, partAfterFirstView } from '#ui/lazy-screen.tsx'
import { ErrorBoundary } from './error-boundary.tsx'
import { useLogoutQuestion } from './logout.ts'
import { navigateWithTransition } from './motion.ts'
import { findRoute } from './routes.tsx'
import { Loader } from './shell/loader.tsx'
import { Page } from './shell/page.tsx'
import '@mantine/core/styles/global.layer.css'
import '@mantine/core/styles/UnstyledButton.layer.css'
import '@mantine/core/styles/CloseButton.layer.css'

const { screen: LogoutQuestion } = lazyPart(() => import('./shell/logout-question.tsx').then(m => m.LogoutQuestion))

const { screen: DeletionReport } = lazyPart(() => import('./shell/deletion-report.tsx').then(m => m.DeletionReport))

const Running = partAfterFirstView(() => import('./pwa/running.tsx').then(m => m.BackgroundServices))

/** Messages that are shown before this chunk is loaded are queued. */
const Toasts = partAfterFirstView(() => import('./shell/toasts.tsx').then(m => m.Toasts))

function Logout() {
  const isAsking = useLogoutQuestion(state => state.unsent > 0)
  return isAsking ? <LogoutQuestion /> : null
}

function Deletion() {
  const isDeleted = useDeletionReport(state => state.kept !== null)
  return isDeleted ? <DeletionReport /> : null
}

/** Renders the current route in a persistent shell. Everything is remounted when the portal's time zone changes. */
function CurrentPage() {
  const [location] = useLocation()
  const timeZone = useConfig(state => state.data.timeZone)
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
      <Running />
      <Toasts />
    </>
  )
}
