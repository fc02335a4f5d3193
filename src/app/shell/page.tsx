import { Suspense, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import type { AppRoute } from '../routes.tsx'

/** One route in its layout: title, scroll to the top, the screen itself. */
export function Page({ route }: { route: AppRoute }) {
  const { t } = useTranslation('shell')
  const [location] = useLocation()
  const Screen = route.screen
  useEffect(() => {
    document.title = `${t(`title.${route.name}`)} · ${t('siteName')}`
  }, [t, route.name])
  // biome-ignore lint/correctness/useExhaustiveDependencies: every activation of a route starts at the top
  useEffect(() => window.scrollTo(0, 0), [location])
  return (
    <main>
      <Suspense>
        <Screen />
      </Suspense>
    </main>
  )
}
