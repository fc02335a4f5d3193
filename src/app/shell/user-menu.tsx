import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { useSession } from '#features/session/store.ts'
import { requestLogout } from '../logout.ts'
import { office, userMenu } from './own-navigation.ts'
import classes from './session-corner.module.css'

/** What somebody who is logged in goes to for themselves, and the department to its desk. */
export function UserMenu({ onFollow }: { onFollow: () => void }) {
  const { t } = useTranslation('shell')
  const hasRight = useSession(state => (state.session?.rights ?? []).length > 0)
  return (
    <ul className={`${classes.panel} ${classes.list}`}>
      {[...(hasRight ? [office] : []), ...userMenu].map(({ key, route }) => (
        <li key={key}>
          <Link href={route} onClick={onFollow}>
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
  )
}
