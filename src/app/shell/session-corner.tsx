import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'wouter'
import { useSession } from '#features/session/store.ts'
import { Text } from '#ui/layout.tsx'
import { lazyComponentAfterFirstRender } from '#ui/lazy-screen.tsx'
import { IconBell, IconChevronDown, IconUser } from '#ui/shell-icons.ts'
import { styles } from '#ui/styles.ts'
import classes from './header.module.css'
import { usePopover } from './use-popover.ts'

const LoginBox = lazyComponentAfterFirstRender(() => import('./login-box.tsx').then(m => m.LoginBox))
const UserMenu = lazyComponentAfterFirstRender(() => import('./menu-drawer.tsx').then(m => m.UserMenu))

/** End of the header: login box for visitors, user menu for everyone else. */
export function SessionCorner() {
  const { t } = useTranslation('shell')
  const [, navigate] = useLocation()
  const phase = useSession(state => state.phase)
  const session = useSession(state => state.session)
  const { isOpen, close, toggle, button, box } = usePopover()

  if (!session) {
    return (
      <div className={styles({ base: 'badgeAnchor' })} {...box}>
        <button
          type="button"
          className={classes.link}
          aria-label={t('nav.login')}
          disabled={phase === 'checking'}
          onClick={() => (window.matchMedia('(min-width: 62em)').matches ? toggle() : navigate('/login'))}
          {...button}
        >
          <IconUser size={24} />
          <Text as="span" only="wide">
            {t('nav.login')}
          </Text>
        </button>
        {isOpen && (
          <div className={classes.panel}>
            <LoginBox onDone={close} />
          </div>
        )}
      </div>
    )
  }
  return (
    <div className={styles({ base: 'badgeAnchor', only: 'wide' })} {...box}>
      {session.hasUnreadMessages && (
        <Link href="/messages" className={classes.item} aria-label={t('unread.label')}>
          <IconBell />
        </Link>
      )}
      <button type="button" className={classes.link} onClick={toggle} {...button}>
        <IconUser size={22} />
        {session.givenName || session.userName}
        <IconChevronDown size={18} />
      </button>
      {isOpen && <UserMenu onFollow={close} />}
    </div>
  )
}
