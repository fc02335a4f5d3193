import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'wouter'
import { useSession } from '#features/session/store.ts'
import { wantsMotion } from '#lib/wants-motion.ts'
import { Box } from '#ui/layout.tsx'
import { IconClipboardCheck, IconHome, IconListSearch, IconMail, IconTicket } from '#ui/shell-icons.ts'
import { styles } from '#ui/styles.ts'
import classes from './bottom-bar.module.css'

const TAB = styles({ base: 'stack', gap: 'xs', align: 'center' })

/** Bottom navigation on phones. */
export function BottomBar() {
  const { t } = useTranslation('shell')
  const [location] = useLocation()
  const session = useSession(state => state.session)
  const isVisitor = useSession(state => state.phase === 'none')
  const tabs = [
    { key: 'start', route: '/home', Icon: IconHome, isHere: location === '/' || location === '/home' },
    {
      key: 'courses',
      route: '/courses',
      Icon: IconListSearch,
      isHere: location === '/courses' || location.startsWith('/course-details'),
    },
    { key: 'mine', route: '/courses/booked', Icon: IconTicket, isHere: location === '/courses/booked' },
    { key: 'inbox', route: '/messages', Icon: IconMail, isHere: location === '/messages' },
    {
      key: 'instructing',
      route: '/courses/instructor',
      Icon: IconClipboardCheck,
      isHere: location === '/courses/instructor' || location.startsWith('/course-participation'),
    },
  ].filter(({ key }) => key !== 'instructing' || session?.isInstructor)
  return (
    <Box as="nav" only="phone" className={classes.bar} aria-label={t('nav.tabs')}>
      {tabs.map(({ key, route, Icon, isHere }) => (
        <Link
          key={key}
          href={isVisitor && key !== 'start' && key !== 'courses' ? `/login?next=${route}` : route}
          className={`${TAB} ${classes.tab}`}
          onClick={event => {
            if (location !== route) return
            // A tap on the current tab scrolls to the top instead. Scrolling is not smooth, because list rows rendered
            // above the viewport would interrupt it.
            event.preventDefault()
            const isNear = window.scrollY <= window.innerHeight
            window.scrollTo({ top: 0, behavior: isNear && wantsMotion() ? 'smooth' : 'auto' })
          }}
          {...(isHere ? { 'aria-current': 'page' as const } : {})}
        >
          <span className={styles({ base: 'badgeAnchor' })}>
            <Icon size={26} stroke={isHere ? 2.4 : 1.8} />
            {key === 'inbox' && session?.hasUnreadMessages && <i />}
          </span>
          {t(`tabs.${key}`)}
          {key === 'inbox' && session?.hasUnreadMessages && (
            <span className="visually-hidden">{t('unread.label')}</span>
          )}
        </Link>
      ))}
    </Box>
  )
}
