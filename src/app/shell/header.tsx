import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { lazyPart } from '#components/lazy-screen.tsx'
import { piece } from '#components/pieces.ts'
import { IconArrowLeft, IconMenu2 } from '#components/shell-icons.ts'
import { branding } from '#lib/branding.ts'
import classes from './header.module.css'
import { LanguageSwitch } from './language-switch.tsx'
import { MainMenu } from './main-menu.tsx'
import { isBottomBarPage, menuName, topLinks } from './navigation.ts'
import { SessionCorner } from './session-corner.tsx'
import { Trail } from './trail.tsx'
import { useGoBack } from './use-go-back.ts'
import { useHeadingScrolledOut } from './use-heading-scrolled-out.ts'

const { screen: MenuDrawer } = lazyPart(() => import('./menu-drawer.tsx').then(m => m.MenuDrawer))

type Props = {
  /** of the page */
  title: string
  address: string
  /** without menus: login and registration */
  isSlim: boolean
}

/** App bar: back or brand, page title once the heading is scrolled out, menus. On phones the menu is a drawer. */
export function Header({ title, address, isSlim }: Props) {
  const { t } = useTranslation('shell')
  const [isMenuOpen, setIsMenuOpen] = useState(false)
  const menuButton = useRef<HTMLButtonElement>(null)
  const goBack = useGoBack()
  const isTitled = useHeadingScrolledOut(address) || address === '/courses'
  return (
    <header className={classes.header}>
      <div className={classes.line}>
        {isSlim ? <span /> : <Trail />}
        <nav className={piece('row', 'loose')} aria-label={t('nav.topLinks')}>
          {topLinks.map(page => (
            <Link key={page} href={page} className={piece('plain')}>
              {menuName(t, page)}
            </Link>
          ))}
          <LanguageSwitch />
        </nav>
      </div>
      <div className={classes.bar}>
        {!isBottomBarPage(address) && (
          <button
            type="button"
            className={`${piece('phoneOnly')} ${classes.item}`}
            aria-label={t('nav.back')}
            onClick={goBack}
          >
            <IconArrowLeft />
          </button>
        )}
        {isTitled && (
          <span className={piece('heading', 'cut', 'phoneOnly')} data-titled aria-hidden>
            {title}
          </span>
        )}
        <Link
          href="/home"
          className={`${isTitled ? piece('wideOnly') : ''} ${classes.brand}`}
          aria-label={`${branding.portalName}: ${t('nav.start')}`}
        >
          <img src="/icons/icon.svg" alt="" width="30" height="30" />
          {branding.portalName}
        </Link>
        {!isSlim && <MainMenu />}
        <div className={classes.end}>
          <span className={piece('phoneOnly')}>
            <LanguageSwitch />
          </span>
          {!isSlim && <SessionCorner />}
          {!isSlim && (
            <button
              ref={menuButton}
              type="button"
              className={`${piece('phoneOnly')} ${classes.item}`}
              aria-label={t('nav.menu')}
              aria-haspopup="dialog"
              aria-expanded={isMenuOpen}
              onClick={() => setIsMenuOpen(true)}
            >
              <IconMenu2 />
            </button>
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
