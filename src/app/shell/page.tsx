import i18next from 'i18next'
import { memo, Suspense, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, Redirect, Route, useLocation } from 'wouter'
import type { AppRoute } from '#app/routes.tsx'
import type { IndexedCourse } from '#contract/endpoints/course-index.ts'
import { UNLISTED_PAGES } from '#contract/endpoints/public-pages.ts'
import { nameInLanguage } from '#contract/words.ts'
import { useCourseIndex } from '#features/courses/resource.ts'
import { useSession } from '#features/session/store.ts'
import { branding } from '#lib/branding.ts'
import { useBreadcrumb } from '#lib/breadcrumb.ts'
import { waitForPageLoad } from '#lib/lazy-load.ts'
import { useLanguage } from '#lib/use-language.ts'
import { useQueryString } from '#lib/use-query-string.ts'
import { categoryKey } from '#ui/category-color.ts'
import { Box, Notice, Stack, Text } from '#ui/layout.tsx'
import { lazyComponentAfterFirstRender } from '#ui/lazy-screen.tsx'
import { ScreenHeader } from '#ui/screen-header.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { styles } from '#ui/styles.ts'
import { NavigationFocus } from './arrival-focus.tsx'
import { Banners } from './banners.tsx'
import { BottomBar } from './bottom-bar.tsx'
import { Header } from './header.tsx'
import { footerLinks, menuLabelOf } from './navigation.ts'
import classes from './page.module.css'

/** The course that the page is about, if it is already loaded on this device. */
const useCourseAt = (address: string): IndexedCourse | undefined => {
  const [, id] = /^\/course-(?:details|participation)\/(\d+)$/.exec(address) ?? []
  return useCourseIndex(({ data }) => data.find(course => String(course.id) === id))
}

const InstallHint = lazyComponentAfterFirstRender(() => import('../pwa/install-hint.tsx').then(m => m.InstallHint))

/**
 * Placeholder while a screen is loading: its title and empty space. For a course, the placeholder already has the color
 * and header height of the course page.
 */
export const Coming = ({ title, course }: { title: string; course: IndexedCourse | undefined }) => (
  <div className={classes.waiting}>
    {/* Hidden from screen readers, which announce that the page is loading and, once it has loaded, its heading. */}
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
  const search = useQueryString()
  const wanted = `${location}${search && `?${search}`}${window.location.hash}`
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
  // Users without office permissions see the "not found" page with the usual menus.
  const isOffice =
    useSession(state => state.phase === 'checking' || state.session?.rights.length) && route.layout === 'office'
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
        <NavigationFocus key={address} isFirst={isFirst} />
      </Route>
    </Suspense>
  )
  return (
    <>
      <Notice as="a" href="#main" className={classes.skip}>
        {t('skip')}
      </Notice>
      {isOffice ? (
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

/**
 * Sets the title and description for tabs, link previews and search engines. Personal pages are marked as noindex.
 * @param known topic of the page, if it is already loaded
 * @returns the page's title
 */
function usePageHead({ name, access }: AppRoute, address: string, known?: { name: string; name2: string }): string {
  const { t } = useTranslation('shell')
  const language = useLanguage()
  const own = useBreadcrumb(state => state.names[address])
  const title = own?.title ?? (known ? nameInLanguage(language, known) : t(`title.${name}`))
  const documentTitle = `${title} · ${branding.portalName}`
  const description = own?.description
  const isPrivate = access === 'session' || name === 'not-found' || UNLISTED_PAGES.includes(address)

  useEffect(() => {
    document.title = documentTitle
    document.querySelector('meta[name="robots"]')?.setAttribute('content', isPrivate ? 'noindex' : 'all')
  }, [documentTitle, isPrivate])

  useEffect(() => {
    let isShown = true
    const describe = (words: string) =>
      isShown && document.querySelector('meta[name="description"]')?.setAttribute('content', words)
    const keys = [`descriptions:${name}`, 'descriptions:home']
    const department = branding.department[language]
    if (description) describe(description)
    // The texts for meta descriptions are not visible on the page, so they are loaded later.
    else
      i18next.loadNamespaces('descriptions').then(
        () => describe(i18next.t(keys, { department })),
        // If the texts cannot be loaded, the previous description remains.
        () => undefined,
      )
    return () => {
      isShown = false
    }
  }, [name, description, language])
  return title
}

/** The footer's pictures are loaded after the first render; space is reserved for them. */
const Footer = memo(function Footer() {
  const { t } = useTranslation('shell')
  const [hasPictures, setHasPictures] = useState(false)
  useEffect(() => {
    void waitForPageLoad().then(() => setHasPictures(true))
  }, [])
  return (
    <Box as="footer" size="s" className={classes.footer}>
      <Stack as="ul" align="center" className={classes.logos} aria-label={t('divisions')}>
        {branding.divisions.map(({ name, logo }) => (
          <li key={name}>
            {hasPictures ? (
              <img src={`/logos/${logo}`} alt={name} width="149" height="36" loading="lazy" decoding="async" />
            ) : (
              <span className="visually-hidden">{name}</span>
            )}
          </li>
        ))}
      </Stack>
      <Stack as="nav" aria-label={t('nav.legal')} gap="none" align="center" py="s">
        {footerLinks.map(page => (
          <Link key={page} href={page} className={styles({ base: 'tapTarget' })}>
            {menuLabelOf(t, page)}
          </Link>
        ))}
      </Stack>
      <Text flush py="s" align="center">
        {t('copyright', { year: branding.copyrightYear, name: branding.name })}
      </Text>
    </Box>
  )
})
