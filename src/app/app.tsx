import { MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { lazy, Suspense } from 'react'
import { useLocation } from 'wouter'
import { OutcomeCard } from '#features/bookings/components/outcome-card.tsx'
import { useConfig } from '#features/system/store.ts'
import { ErrorBoundary } from './error-boundary.tsx'
import { useLogoutQuestion } from './logout.ts'
import { UpdatePrompt } from './pwa/update-prompt.tsx'
import { findRoute } from './routes.tsx'
import { Loader } from './shell/loader.tsx'
import { Page } from './shell/page.tsx'
import { colorSchemeManager } from './theme/color-scheme.ts'
import { theme } from './theme/theme.ts'

const LogoutQuestion = lazy(() => import('./shell/logout-question.tsx').then(m => ({ default: m.LogoutQuestion })))

function Logout() {
  const isAsking = useLogoutQuestion(state => state.isOpen)
  return isAsking ? (
    <Suspense>
      <LogoutQuestion />
    </Suspense>
  ) : null
}

/** One page for all routes: the shell stays while the screens change. All of it anew when the portal names another clock. */
function CurrentPage() {
  const [location] = useLocation()
  const timeZone = useConfig(state => state.timeZone)
  return <Page key={timeZone} route={findRoute(location)} />
}

/** The whole app: every route in the page shell. */
export function App() {
  return (
    <MantineProvider theme={theme} defaultColorScheme="auto" colorSchemeManager={colorSchemeManager}>
      <ErrorBoundary>
        <CurrentPage />
        <OutcomeCard />
        <Loader />
        <Logout />
      </ErrorBoundary>
      <UpdatePrompt />
      <Notifications position="top-center" />
    </MantineProvider>
  )
}
