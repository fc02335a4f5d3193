import { MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { Suspense } from 'react'
import { Route, Switch } from 'wouter'
import { NotFoundScreen } from './not-found-screen.tsx'
import { routes } from './routes.tsx'
import { Page } from './shell/page.tsx'
import { theme } from './theme/theme.ts'

/** The whole app: every route in the page shell. */
export function App() {
  return (
    <MantineProvider theme={theme} defaultColorScheme="auto">
      <Notifications position="top-center" />
      <Suspense>
        <Switch>
          {routes.map(route => (
            <Route key={route.path} path={route.path}>
              <Page route={route} />
            </Route>
          ))}
          <Route>
            <NotFoundScreen />
          </Route>
        </Switch>
      </Suspense>
    </MantineProvider>
  )
}
