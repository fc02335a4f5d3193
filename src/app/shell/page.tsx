import { Suspense, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Redirect, Route, useLocation, useSearch } from 'wouter'
import type { IndexedCourse } from '#contract/course-index.ts'
import { useCourseIndex } from '#features/courses/resource.ts'
import { useSession } from '#features/session/store.ts'
import { useBreadcrumb } from '#lib/breadcrumb.ts'
import { categoryKey } from '#ui/category-color.ts'
import { Notice } from '#ui/layout.tsx'
import { partAfterFirstView } from '#ui/lazy-screen.tsx'
import { ScreenHeader } from '#ui/screen-header.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import type { AppRoute } from '../routes.tsx'
import { ArrivalFocus } from './arrival.tsx'
import { Banners } from './banners.tsx'
import { BottomBar } from './bottom-bar.tsx'
import { Footer } from './footer.tsx'
import { Header } from './header.tsx'
import classes from './page.module.css'
import { usePageHead } from './use-page-head.ts'

/** The course that the page is about, if it is already loaded on this device. */
const useCourseAt = (address: string): IndexedCourse | undefined => {
  const [, id] = /^\/course-(?:details|participation)\/(\d+)$/.exec(address) ?? []
  return useCourseIndex(({ data }) => data.find(course => String(course.id) === id))
}

const InstallHint = partAfterFirstView(() => import('../pwa/install-hint.tsx').then(m => m.InstallHint))

/**
 * Placeholder for a loading screen: title and empty space. For a course, it has the color and header height of the
 * page.
 */
const Coming = ({ title, course }: { title: string; course: IndexedCourse | undefined }) => (
  <div className={classes.waiting}>
    {/* Announces to screen readers first that the page is loading, then its heading. */}
    <div aria-hidden>
      <ScreenHeader
        isLow
        title={title}
        {...(course && { kicker: '\u00a0', category: categoryKey(course.categoryIcon, course.courseCategoryId) })}
      />
    </div>
    <Skeleton />
  </div>
)

/**
 * Redirects to the login and back again, for links in e-mails. A separate component, so that typing in the search does
 * not rerender the page.
 */
function ToLogin() {
  const [location] = useLocation()
  const search = useSearch()
  const wanted = search === '' ? location : `${location}?${search}`
  return <Redirect to={`/login?next=${encodeURIComponent(wanted)}`} replace />
}

/** Renders the current route in its layout, with header, breadcrumb and scroll position. See docs/decisions/0078. */
export function Page({ route }: { route: AppRoute }) {
  const { t } = useTranslation('shell')
  const [location] = useLocation()
  const isFirst = useRef(true)
  const [hadSession, setHadSession] = useState(false)
  const hasShown = useRef(false)
  const phase = useSession(state => state.phase)
  const hasToChoose = useSession(state => state.session?.isPasswordToChange ?? false)
  const addCrumb = useBreadcrumb(state => state.add)
  const Screen = route.screen
  const isSlim = route.layout === 'slim'
  const isBare = route.layout === 'bare'
  // Users without office rights see the "not found" page with the usual menus.
  const isDesk =
    useSession(state => state.phase === 'checking' || state.session?.rights.length) && route.layout === 'desk'
  const isHome = route.name === 'home'
  const address = isHome ? '/home' : location
  const course = useCourseAt(address)
  const title = usePageHead(route, address, course)

  useEffect(() => {
    addCrumb({ key: route.name, route: address })
    // Preserves the scroll position of the server-rendered HTML and that of a URL fragment.
    if (hasShown.current && window.location.hash === '') window.scrollTo(0, 0)
    hasShown.current = true
  }, [route.name, address, addCrumb])

  if (phase === 'started' && !hadSession) setHadSession(true)
  if (route.access === 'session' && phase === 'none') {
    // After logging out, go to the start page.
    return hadSession ? <Redirect to="/home" replace /> : <ToLogin />
  }
  // Until the password is changed, the server rejects all other calls of this session.
  if (route.access === 'session' && hasToChoose && route.name !== 'password-change') {
    return <Redirect to="/password-change" replace />
  }
  const screen = (
    <Suspense fallback={<Coming title={title} course={course} />}>
      <Route path={route.path} key={route.path}>
        <Screen />
        <ArrivalFocus key={address} isFirst={isFirst} />
      </Route>
    </Suspense>
  )
  return (
    <>
      <Notice as="a" href="#main" className={classes.skip}>
        {t('skip')}
      </Notice>
      {isDesk ? (
        screen
      ) : (
        <>
          {/* Attendance lists have no banners because these would leave less space for the rows. */}
          {!isBare && <Banners />}
          {!isBare && <Header title={title} address={address} isSlim={isSlim} />}
          <main id="main" tabIndex={-1} className={isBare ? '' : `${classes.main} ${isSlim ? classes.slim : ''}`}>
            {screen}
            {isHome && <InstallHint />}
          </main>
          {!isBare && <Footer />}
          {!isBare && !isSlim && <BottomBar />}
        </>
      )}
    </>
  )
}
