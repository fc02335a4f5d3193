import { IconChevronDown } from '@tabler/icons-react'
import { type FocusEvent, type KeyboardEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'wouter'
import { useSession } from '#features/session/store.ts'
import classes from './main-menu.module.css'
import { instructorArea, mainMenu, type NavGroup, type NavItem, photoGallery } from './navigation.ts'

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
  const [isOpen, setIsOpen] = useState(false)
  const closeOnLeave = (event: FocusEvent) => {
    if (!event.currentTarget.contains(event.relatedTarget)) setIsOpen(false)
  }
  const closeOnEscape = (event: KeyboardEvent) => {
    if (event.key === 'Escape') setIsOpen(false)
  }
  return (
    <li className={classes.group} onBlur={closeOnLeave} onKeyDown={closeOnEscape} onMouseLeave={() => setIsOpen(false)}>
      <button type="button" className={classes.link} aria-expanded={isOpen} onClick={() => setIsOpen(open => !open)}>
        {t(`nav.${group.key}`)}
        <IconChevronDown size={18} aria-hidden />
      </button>
      <ul className={classes.sub} hidden={!isOpen}>
        {group.items.map(item => (
          <li key={item.key}>
            <MenuLink item={item} onFollow={() => setIsOpen(false)} />
          </li>
        ))}
      </ul>
    </li>
  )
}

/** The menu of wide screens. */
export function MainMenu() {
  const { t } = useTranslation('shell')
  const isInstructor = useSession(state => state.session?.isInstructor ?? false)
  return (
    <nav className={classes.menu} aria-label={t('nav.main')}>
      <ul>
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
