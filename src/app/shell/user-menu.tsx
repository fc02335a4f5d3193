import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { useSession } from '#features/session/store.ts'
import { requestLogout } from '../logout.ts'
import classes from './header.module.css'
import { menuLabelOf } from './navigation.ts'
import { userMenu } from './own-navigation.ts'

/** User menu: the user's personal pages and, for users with office permissions, the office UI. */
export function UserMenu({ onFollow }: { onFollow: () => void }) {
  const { t } = useTranslation('shell')
  const hasRight = useSession(state => (state.session?.rights ?? []).length > 0)
  return (
    <ul className={classes.panel}>
      {[...(hasRight ? (['/office'] as const) : []), ...userMenu].map(page => (
        <li key={page}>
          <Link href={page} className={classes.link} onClick={onFollow}>
            {menuLabelOf(t, page)}
          </Link>
        </li>
      ))}
      <li>
        <button type="button" className={classes.link} onClick={requestLogout}>
          {t('nav.logout')}
        </button>
      </li>
    </ul>
  )
}
