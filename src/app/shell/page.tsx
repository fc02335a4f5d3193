import { Suspense, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import { company } from '#contract/company.ts'
import { useBreadcrumb } from '#lib/breadcrumb.ts'
import type { AppRoute } from '../routes.tsx'
import { Banners } from './banners.tsx'
import { BottomBar } from './bottom-bar.tsx'
import { Footer } from './footer.tsx'
import { Header } from './header.tsx'
import classes from './page.module.css'
import { Trail } from './trail.tsx'

/** One route in its layout: title, breadcrumb, scroll to the top, the screen itself. */
export function Page({ route }: { route: AppRoute }) {
  const { t } = useTranslation('shell')
  const [location] = useLocation()
  const main = useRef<HTMLElement>(null)
  const isFirst = useRef(true)
  const addCrumb = useBreadcrumb(state => state.add)
  const Screen = route.screen
  const isSlim = route.layout === 'slim'
  const title = t(`title.${route.name}`)

  useEffect(() => {
    document.title = `${title} · ${company.portalName}`
    addCrumb({ label: title, route: location === '/' ? '/home' : location })
    window.scrollTo(0, 0)
    // A screen reader starts at the new page, not at the link that has gone.
    if (!isFirst.current) main.current?.focus({ preventScroll: true })
    isFirst.current = false
  }, [title, location, addCrumb])

  return (
    <>
      <a href="#main" className={classes.skip}>
        {t('skip')}
      </a>
      <Banners />
      <Header isSlim={isSlim} />
      <main id="main" ref={main} tabIndex={-1} className={`${classes.main} ${isSlim ? classes.slim : ''}`}>
        {route.name !== 'home' && !isSlim && <Trail />}
        <Suspense fallback={<p className={classes.waiting}>{t('loading')}</p>}>
          <Screen />
        </Suspense>
      </main>
      <Footer />
      {!isSlim && <BottomBar />}
    </>
  )
}
