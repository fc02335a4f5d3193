import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { useSession } from '#features/session/store.ts'
import { useOnline } from '#lib/online.ts'
import { Text } from '#ui/layout.tsx'
import classes from './banners.module.css'

/** Whether this is a test system: its host name is localhost or contains `int` as a separate part. */
export const isTestSystem = (host: string): boolean => /(?:^|[.-])int(?:[.-]|$)|^localhost$|^127\./.test(host)

/** One-line banners above every page. */
export function Banners() {
  const { t } = useTranslation('shell')
  const session = useSession(state => state.session)
  const isOnline = useOnline(state => state.isOnline)
  const test = isTestSystem(window.location.hostname) && (
    <p className={classes.test}>
      {t('banner.test')}
      <span>{t('banner.testText')}</span>
    </p>
  )
  return (
    <div className={classes.line}>
      <div role="status" data-fleeting>
        {!isOnline && (
          <p className={classes.offline}>
            {t('banner.offline')}
            <span>{t('banner.offlineText')}</span>
          </p>
        )}
      </div>
      {test}
      {session?.isPasswordToChange && (
        <Text fill="sun">
          {t('banner.password')} <Link href="/password-change">{t('title.password-change')}</Link>
        </Text>
      )}
      {session?.isDivisionToSet && (
        <Text fill="sun">
          {t('banner.division')} <Link href="/edit">{t('title.edit')}</Link>
        </Text>
      )}
      {session?.isProfileToComplete && !session.isDivisionToSet && (
        <Text fill="sun">
          {t('banner.profile')} <Link href="/edit">{t('title.edit')}</Link>
        </Text>
      )}
      {session?.hasUnreadMessages && (
        <Text fill="sun">
          <span>{t('banner.unread')}</span> <Link href="/messages">{t('menu.messages')}</Link>
        </Text>
      )}
    </div>
  )
}
