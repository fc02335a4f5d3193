import { MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { Route, Switch } from 'wouter'
import { OutcomeCard } from '#features/bookings/components/outcome-card.tsx'
import { ErrorBoundary } from './error-boundary.tsx'
import { UpdatePrompt } from './pwa/update-prompt.tsx'
import { notFoundRoute, routes } from './routes.tsx'
import { Loader } from './shell/loader.tsx'
import { Page } from './shell/page.tsx'
import { colorSchemeManager } from './theme/color-scheme.ts'
import { theme } from './theme/theme.ts'

/** The whole app: every route in the page shell. */
export function App() {
  return (
    <MantineProvider theme={theme} defaultColorScheme="auto" colorSchemeManager={colorSchemeManager}>
      <ErrorBoundary>
        <Switch>
          {routes.map(route => (
            <Route key={route.path} path={route.path}>
              <Page route={route} />
            </Route>
          ))}
          <Route>
            <Page route={notFoundRoute} />
          </Route>
        </Switch>
      </ErrorBoundary>
      <UpdatePrompt />
      <OutcomeCard />
      <Loader />
      <Notifications position="top-center" />
    </MantineProvider>
  )
}
