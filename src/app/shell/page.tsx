import { Suspense, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Redirect, Route, useLocation } from 'wouter'
import { useSession } from '#features/session/store.ts'
import { useBreadcrumb } from '#lib/breadcrumb.ts'
import { InstallHint } from '../pwa/install-hint.tsx'
import type { AppRoute } from '../routes.tsx'
import { Banners } from './banners.tsx'
import { BottomBar } from './bottom-bar.tsx'
import { Footer } from './footer.tsx'
import { Header } from './header.tsx'
import classes from './page.module.css'
import { Trail } from './trail.tsx'
import { usePageHead } from './use-page-head.ts'

/** The present route in its layout: head, breadcrumb, scroll to the top, the screen itself. */
export function Page({ route }: { route: AppRoute }) {
  const { t } = useTranslation('shell')
  const [location] = useLocation()
  const main = useRef<HTMLElement>(null)
  const isFirst = useRef(true)
  const phase = useSession(state => state.phase)
  const addCrumb = useBreadcrumb(state => state.add)
  const Screen = route.screen
  const isSlim = route.layout === 'slim'
  const isHome = route.name === 'home'
  const place = isHome ? '/home' : location
  usePageHead(route, place)

  useEffect(() => {
    addCrumb({ key: route.name, route: place })
    window.scrollTo(0, 0)
    // A screen reader starts at the new page, not at the link that has gone.
    if (!isFirst.current) main.current?.focus({ preventScroll: true })
    isFirst.current = false
  }, [route.name, place, addCrumb])

  if (route.access === 'session' && phase === 'none') return <Redirect to="/home" replace />
  return (
    <>
      <a href="#main" className={classes.skip}>
        {t('skip')}
      </a>
      <Banners />
      <Header isSlim={isSlim} />
      {!isSlim && <Trail />}
      <main id="main" ref={main} tabIndex={-1} className={`${classes.main} ${isSlim ? classes.slim : ''}`}>
        <Suspense fallback={<p className={classes.waiting}>{t('loading')}</p>}>
          <Route path={route.path} key={route.path}>
            <Screen />
          </Route>
        </Suspense>
        {isHome && <InstallHint />}
      </main>
      <Footer />
      {!isSlim && <BottomBar />}
    </>
  )
}
