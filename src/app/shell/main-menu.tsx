import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'wouter'
import { useSession } from '#features/session/store.ts'
import { Row } from '#ui/layout.tsx'
import { IconChevronDown } from '#ui/shell-icons.ts'
import { styles } from '#ui/styles.ts'
import classes from './header.module.css'
import { type MenuGroup as Group, type MenuPage, mainMenu, menuLabelOf } from './navigation.ts'
import { usePopover } from './use-popover.ts'

function MenuLink({ page, onFollow }: { page: MenuPage; onFollow?: () => void }) {
  const { t } = useTranslation('shell')
  const [location] = useLocation()
  return (
    <Link
      href={page}
      className={classes.link}
      {...(location === page ? { 'aria-current': 'page' as const } : {})}
      {...(onFollow ? { onClick: onFollow } : {})}
    >
      {menuLabelOf(t, page)}
    </Link>
  )
}

function MenuGroup({ group }: { group: Group }) {
  const { t } = useTranslation('shell')
  const { isOpen, close, toggle, button, box } = usePopover()
  return (
    <li className={styles({ base: 'badgeAnchor' })} onMouseLeave={close} {...box}>
      <button type="button" className={classes.link} onClick={toggle} {...button}>
        {t(`nav.${group.key}`)}
        <IconChevronDown size={18} />
      </button>
      <ul className={classes.panel} hidden={!isOpen}>
        {group.pages.map(page => (
          <li key={page}>
            <MenuLink page={page} onFollow={close} />
          </li>
        ))}
      </ul>
    </li>
  )
}

export function MainMenu() {
  const { t } = useTranslation('shell')
  const isInstructor = useSession(state => state.session?.isInstructor ?? false)
  return (
    <nav aria-label={t('nav.main')}>
      <Row as="ul" gap="none" only="wide">
        {mainMenu.map(group => (
          <MenuGroup key={group.key} group={group} />
        ))}
        {isInstructor && (
          <li>
            <MenuLink page="/courses/instructor" />
          </li>
        )}
        <li>
          <MenuLink page="/photo-album" />
        </li>
      </Row>
    </nav>
  )
}
