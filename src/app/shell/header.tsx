import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'wouter'
import { switchLanguage } from '#app/language-effects.ts'
import { branding } from '#lib/branding.ts'
import { useBreadcrumb } from '#lib/breadcrumb.ts'
import { goBack } from '#lib/overlay-history.ts'
import { leaveAfterConfirmation } from '#lib/unload-guard.ts'
import { useLanguage } from '#lib/use-language.ts'
import { Box, Row, Text } from '#ui/layout.tsx'
import { lazyComponent } from '#ui/lazy-screen.tsx'
import { IconArrowLeft, IconMenu2 } from '#ui/shell-icons.ts'
import { styles } from '#ui/styles.ts'
import classes from './header.module.css'
import { MainMenu } from './main-menu.tsx'
import { isBottomBarPage, menuLabelOf, topLinks } from './navigation.ts'
import { SessionCorner } from './session-corner.tsx'

/**
 * Whether the previous history entry belongs to the app. The breadcrumb is used in browsers without the Navigation API.
 */
function hasCome(): boolean {
  const { navigation }: { navigation?: { canGoBack: boolean } } = window
  return navigation ? navigation.canGoBack : useBreadcrumb.getState().trail.length > 2
}

/**
 * Navigates back if the previous history entry belongs to the app. Otherwise, for example after an external link,
 * navigates to the course list (from a course) or to the start page.
 */
function useGoBack(): () => void {
  const [location, navigate] = useLocation()
  return () => {
    if (hasCome()) goBack()
    else leaveAfterConfirmation(() => navigate(location.startsWith('/course-details/') ? '/courses' : '/home'))
  }
}

/** Switches between German and English and returns to the start page. */
function LanguageSwitch() {
  const { t } = useTranslation('shell')
  const [, navigate] = useLocation()
  const other = useLanguage() === 'de' ? 'en' : 'de'
  return (
    <button
      type="button"
      className={classes.item}
      lang={other}
      onClick={() =>
        leaveAfterConfirmation(async () => {
          await switchLanguage(other)
          navigate('/')
        })
      }
    >
      <span aria-hidden>{other.toUpperCase()}</span>
      <span className="visually-hidden">{t('otherLanguage')}</span>
    </button>
  )
}

const { screen: MenuDrawer } = lazyComponent(() => import('./menu-drawer.tsx').then(m => m.MenuDrawer))

type Props = {
  /** title of the page */
  title: string
  address: string
  /** hides the menus on the login and registration pages */
  isSlim: boolean
}

/**
 * App bar with back button or brand, menus, and the page title once the heading has scrolled out of view. On phones,
 * the menu is a drawer.
 */
export function Header({ title, address, isSlim }: Props) {
  const { t } = useTranslation('shell')
  const [isMenuOpen, setIsMenuOpen] = useState(false)
  const menuButton = useRef<HTMLButtonElement>(null)
  const leave = useGoBack()
  const isTitled = useHeadingScrolledOut(address) || address === '/courses'
  return (
    <header className={classes.header}>
      <div className={classes.line}>
        {isSlim ? <span /> : <BreadcrumbTrail />}
        <Row as="nav" gap="l" aria-label={t('nav.topLinks')}>
          {topLinks.map(page => (
            <Link key={page} href={page} className={styles({ plain: true })}>
              {menuLabelOf(t, page)}
            </Link>
          ))}
          <LanguageSwitch />
        </Row>
      </div>
      <div className={classes.bar}>
        {!isBottomBarPage(address) && (
          <Box
            as="button"
            type="button"
            only="phone"
            className={classes.item}
            aria-label={t('nav.back')}
            onClick={leave}
          >
            <IconArrowLeft />
          </Box>
        )}
        {isTitled && (
          <Text as="span" variant="heading" truncate only="phone" data-titled aria-hidden>
            {title}
          </Text>
        )}
        <Link
          href="/home"
          className={`${isTitled ? styles({ only: 'wide' }) : ''} ${classes.brand}`}
          aria-label={`${branding.portalName}: ${t('nav.start')}`}
        >
          <img src="/icons/icon.svg" alt="" width="30" height="30" />
          {branding.portalName}
        </Link>
        {!isSlim && <MainMenu />}
        <div className={classes.end}>
          <Text as="span" only="phone">
            <LanguageSwitch />
          </Text>
          {!isSlim && <SessionCorner />}
          {!isSlim && (
            <Box
              as="button"
              ref={menuButton}
              type="button"
              only="phone"
              className={classes.item}
              aria-label={t('nav.menu')}
              aria-haspopup="dialog"
              aria-expanded={isMenuOpen}
              onClick={() => setIsMenuOpen(true)}
            >
              <IconMenu2 />
            </Box>
          )}
        </div>
      </div>
      {isMenuOpen && (
        <MenuDrawer
          onClose={() => {
            setIsMenuOpen(false)
            menuButton.current?.focus()
          }}
        />
      )}
    </header>
  )
}

/** Breadcrumb of visited pages. */
function BreadcrumbTrail() {
  const { t } = useTranslation('shell')
  const { trail, names } = useBreadcrumb()
  return (
    <nav aria-label={t('nav.trail')}>
      <ol className={styles({ base: 'strip' })}>
        {trail.map(({ key, route }, index) => {
          const title = names[route]?.title ?? t(`title.${key}`)
          return (
            <li key={route}>
              {index < trail.length - 1 ? <Link href={route}>{title}</Link> : <span aria-current="page">{title}</span>}
            </li>
          )
        })}
      </ol>
    </nav>
  )
}

/** Height of the app bar in px. */
const BAR = 56

/** Whether the page's heading has scrolled out of view. */
function useHeadingScrolledOut(address: string): boolean {
  const [isGone, setIsGone] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page has another heading
  useEffect(() => {
    const look = () => {
      const heading = document.querySelector('main h1')
      setIsGone(window.scrollY > BAR && heading !== null && heading.getBoundingClientRect().bottom < BAR)
    }
    // Measured in an animation frame, where layout happens anyway. Measuring immediately would force an additional
    // layout.
    const first = requestAnimationFrame(look)
    window.addEventListener('scroll', look, { passive: true })
    return () => {
      cancelAnimationFrame(first)
      window.removeEventListener('scroll', look)
    }
  }, [address])
  return isGone
}
