import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { isTestSystem } from '#app/shell/banners.tsx'
import { useSession } from '#features/session/store.ts'
import { branding } from '#lib/branding.ts'
import { Box } from '#ui/layout.tsx'
import { IconMenu2, IconSearch } from '#ui/shell-icons.ts'
import classes from './navigation-rail.module.css'
import type { OfficeSection } from './office-navigation.ts'
import type { OfficeSectionKey } from './office-sections.ts'

type Props = {
  places: readonly OfficeSection[]
  here: OfficeSectionKey | undefined
  onFind: () => void
  onMenu: () => void
}

/** Number of office sections in the bottom bar on phones, next to search and menu. */
const ON_PHONE = 3

/** Links to the office UI sections. The sections that follow the report form a separate group. */
export function SectionLinks({
  places,
  here,
  onFollow,
}: Pick<Props, 'places' | 'here'> & { onFollow?: (() => void) | undefined }) {
  const { t } = useTranslation('office')
  return (
    <ul className={classes.places}>
      {places.map(({ key, path, letter, Icon }) => (
        <li key={key} data-place={key}>
          <Link
            href={path}
            className={classes.place}
            onClick={onFollow}
            {...(here === key && { 'aria-current': 'page' as const })}
          >
            <Icon size={20} stroke={1.8} />
            {t(`nav.${key}`)}
            <kbd className={classes.hint} aria-hidden>
              g {letter}
            </kbd>
          </Link>
        </li>
      ))}
    </ul>
  )
}

/** Navigation of the office UI: a rail beside the screen, or a bar below it on phones. */
export function NavigationRail({ places, here, onFind, onMenu }: Props) {
  const { t } = useTranslation('office')
  const session = useSession(state => state.session)
  const name = `${session?.givenName ?? ''} ${session?.familyName ?? ''}`.trim() || session?.userName
  return (
    <>
      <Box only="wide" className={classes.rail}>
        <Link href="/office" className={classes.brand}>
          <img src="/icons/icon.svg" alt="" width="28" height="28" />
          {branding.portalName}
        </Link>
        {isTestSystem(window.location.hostname) && <p className={classes.test}>{t('shell:banner.test')}</p>}
        <button type="button" className={classes.find} onClick={onFind}>
          <IconSearch size={18} />
          {t('palette.button')}
          <kbd className={classes.hint} aria-hidden>
            {t('palette.key')}
          </kbd>
        </button>
        <nav aria-label={t('nav.label')}>
          <SectionLinks places={places} here={here} />
        </nav>
        <button type="button" className={classes.person} aria-haspopup="dialog" onClick={onMenu}>
          <b>{name}</b>
          <span>{session?.rights.map(right => t(`right.${right}`)).join(', ')}</span>
        </button>
      </Box>
      <Box as="nav" only="phone" className={classes.bar} aria-label={t('nav.bar')}>
        {places.slice(0, ON_PHONE).map(({ key, path, Icon }) => (
          <Link
            key={key}
            href={path}
            className={classes.tab}
            {...(here === key && { 'aria-current': 'page' as const })}
          >
            <Icon size={26} stroke={1.8} />
            {t(`nav.${key}`)}
          </Link>
        ))}
        <button type="button" className={classes.tab} onClick={onFind}>
          <IconSearch size={26} stroke={1.8} />
          {t('palette.button')}
        </button>
        <button type="button" className={classes.tab} aria-haspopup="dialog" onClick={onMenu}>
          <IconMenu2 size={26} stroke={1.8} />
          {t('nav.more')}
        </button>
      </Box>
    </>
  )
}
