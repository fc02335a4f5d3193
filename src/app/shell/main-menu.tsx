import { IconChevronDown } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'wouter'
import { piece } from '#components/pieces.ts'
import { useSession } from '#features/session/store.ts'
import classes from './header.module.css'
import { instructorArea, mainMenu, type NavGroup, type NavItem, photoGallery } from './navigation.ts'
import { useFoldout } from './use-foldout.ts'

function MenuLink({ item, onFollow }: { item: NavItem; onFollow?: () => void }) {
  const { t } = useTranslation('shell')
  const [location] = useLocation()
  return (
    <Link
      href={item.route}
      className={classes.link}
      {...(location === item.route ? { 'aria-current': 'page' as const } : {})}
      {...(onFollow ? { onClick: onFollow } : {})}
    >
      {t(`nav.${item.key}`)}
    </Link>
  )
}

function MenuGroup({ group }: { group: NavGroup }) {
  const { t } = useTranslation('shell')
  const { isOpen, close, toggle, button, box } = useFoldout()
  return (
    <li className={piece('spot')} onMouseLeave={close} {...box}>
      <button type="button" className={classes.link} onClick={toggle} {...button}>
        {t(`nav.${group.key}`)}
        <IconChevronDown size={18} aria-hidden />
      </button>
      <ul className={classes.panel} hidden={!isOpen}>
        {group.items.map(item => (
          <li key={item.key}>
            <MenuLink item={item} onFollow={close} />
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
      <ul className={piece('row', 'joined', 'wideOnly')}>
        {mainMenu.map(group => (
          <MenuGroup key={group.key} group={group} />
        ))}
        {isInstructor && (
          <li>
            <MenuLink item={instructorArea} />
          </li>
        )}
        <li>
          <MenuLink item={photoGallery} />
        </li>
      </ul>
    </nav>
  )
}
