import { useTranslation } from 'react-i18next'
import { Link, useRoute } from 'wouter'
import { useSession } from '#features/session/store.ts'
import { useOnline } from '#lib/online.ts'
import classes from './banners.module.css'

/** Test systems carry `int` as a part of their host name; localhost is one too. */
export const isTestSystem = (host: string): boolean => /(?:^|[.-])int(?:[.-]|$)|^localhost$|^127\./.test(host)

/** Hints above every page: test system, no network, division to set, unread messages. */
export function Banners() {
  const { t } = useTranslation('shell')
  const session = useSession(state => state.session)
  const isOnline = useOnline(state => state.isOnline)
  // A list that is being ticked says it itself, in a place kept for it: a banner would push the rows away under the thumb.
  const [isList] = useRoute('/course-participation/:id')
  return (
    <>
      {isTestSystem(window.location.hostname) && <p className={classes.test}>{t('banner.test')}</p>}
      <div role="status">{!isOnline && !isList && <p className={classes.offline}>{t('banner.offline')}</p>}</div>
      {session?.isPasswordToChange && (
        <p className={classes.hint}>
          {t('banner.password')} <Link href="/password-change">{t('nav.changePassword')}</Link>
        </p>
      )}
      {session?.isDivisionToSet && (
        <p className={classes.hint}>
          {t('banner.division')} <Link href="/edit">{t('nav.editProfile')}</Link>
        </p>
      )}
      {session?.isProfileToComplete && !session.isDivisionToSet && (
        <p className={classes.hint}>
          {t('banner.profile')} <Link href="/edit">{t('nav.editProfile')}</Link>
        </p>
      )}
      {session?.hasUnreadMessages && (
        <p className={classes.hint}>
          {t('banner.unread')} <Link href="/messages">{t('nav.myMessages')}</Link>
        </p>
      )}
    </>
  )
}
