import { IconMenu2 } from '@tabler/icons-react'
import { lazy, Suspense, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { useSession } from '#features/session/store.ts'
import { branding } from '#lib/branding.ts'
import classes from './header.module.css'
import { LanguageSwitch } from './language-switch.tsx'
import { MainMenu } from './main-menu.tsx'
import { topLinks } from './navigation.ts'
import { SessionCorner } from './session-corner.tsx'

const MenuDrawer = lazy(() => import('./menu-drawer.tsx').then(module => ({ default: module.MenuDrawer })))

/** Brand and menus. On phones the menu is a drawer; the slim header of login and registration has none. */
export function Header({ isSlim }: { isSlim: boolean }) {
  const { t } = useTranslation('shell')
  const [isMenuOpen, setIsMenuOpen] = useState(false)
  const menuButton = useRef<HTMLButtonElement>(null)
  const hasUnread = useSession(state => state.session?.hasUnreadMessages ?? false)
  return (
    <header className={classes.header}>
      <nav className={classes.topLinks} aria-label={t('nav.topLinks')}>
        {topLinks.map(({ key, route }) => (
          <Link key={key} href={route}>
            {t(`nav.${key}`)}
          </Link>
        ))}
        <LanguageSwitch />
      </nav>
      <div className={classes.bar}>
        <Link href="/home" className={classes.brand} aria-label={`${branding.portalName}: ${t('nav.start')}`}>
          <img src="/icons/icon.svg" alt="" width="32" height="32" />
          {branding.portalName}
        </Link>
        {!isSlim && <MainMenu />}
        <div className={classes.end}>
          <span className={classes.phoneOnly}>
            <LanguageSwitch />
          </span>
          {!isSlim && <SessionCorner />}
          {!isSlim && (
            <button
              ref={menuButton}
              type="button"
              className={classes.menuButton}
              aria-haspopup="dialog"
              aria-expanded={isMenuOpen}
              onClick={() => setIsMenuOpen(true)}
            >
              <IconMenu2 aria-hidden />
              <span>{t('nav.menu')}</span>
              {hasUnread && <i className={classes.dot} aria-hidden />}
            </button>
          )}
        </div>
      </div>
      {isMenuOpen && (
        <Suspense>
          <MenuDrawer
            onClose={() => {
              setIsMenuOpen(false)
              menuButton.current?.focus()
            }}
          />
        </Suspense>
      )}
    </header>
  )
}
