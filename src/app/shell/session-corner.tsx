import { IconBell, IconChevronDown, IconUser } from '@tabler/icons-react'
import { type FocusEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'wouter'
import { useSession } from '#features/session/store.ts'
import { requestLogout } from '../logout.ts'
import { LoginBox } from './login-box.tsx'
import { userMenu } from './navigation.ts'
import classes from './session-corner.module.css'

/** At the end of the header: the login box for visitors, the person's own menu otherwise. */
export function SessionCorner() {
  const { t } = useTranslation('shell')
  const [, navigate] = useLocation()
  const { phase, session } = useSession()
  const [isOpen, setIsOpen] = useState(false)
  const closeOnLeave = (event: FocusEvent) => {
    if (!event.currentTarget.contains(event.relatedTarget)) setIsOpen(false)
  }

  if (!session) {
    return (
      // biome-ignore lint/a11y/noStaticElementInteractions: only closes what the button inside has opened
      <div
        className={classes.corner}
        onBlur={closeOnLeave}
        onKeyDown={event => event.key === 'Escape' && setIsOpen(false)}
      >
        <button
          type="button"
          className={classes.button}
          disabled={phase === 'checking'}
          aria-expanded={isOpen}
          onClick={() =>
            window.matchMedia('(min-width: 62em)').matches ? setIsOpen(open => !open) : navigate('/login')
          }
        >
          <IconUser size={24} aria-hidden />
          <span className={classes.label}>{t('nav.login')}</span>
        </button>
        {isOpen && (
          <div className={classes.panel}>
            <LoginBox onDone={() => setIsOpen(false)} />
          </div>
        )}
      </div>
    )
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only closes what the button inside has opened
    <div
      className={`${classes.corner} ${classes.wideOnly}`}
      onBlur={closeOnLeave}
      onKeyDown={event => event.key === 'Escape' && setIsOpen(false)}
    >
      {session.hasUnreadMessages && (
        <Link href="/messages" className={classes.bell} aria-label={t('unread.label')}>
          <IconBell aria-hidden />
        </Link>
      )}
      <button type="button" className={classes.button} aria-expanded={isOpen} onClick={() => setIsOpen(open => !open)}>
        <IconUser size={22} aria-hidden />
        {session.givenName || session.userName}
        <IconChevronDown size={18} aria-hidden />
      </button>
      {isOpen && (
        <ul className={`${classes.panel} ${classes.list}`}>
          {userMenu.map(({ key, route }) => (
            <li key={key}>
              <Link href={route} onClick={() => setIsOpen(false)}>
                {t(`nav.${key}`)}
              </Link>
            </li>
          ))}
          <li>
            <button type="button" onClick={requestLogout}>
              {t('nav.logout')}
            </button>
          </li>
        </ul>
      )}
    </div>
  )
}
