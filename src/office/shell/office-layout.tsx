import { useCallback, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, Redirect, useLocation } from 'wouter'
import { useSession } from '#features/session/store.ts'
import { officeCallHooks } from '#lib/call.ts'
import { useOnline } from '#lib/online.ts'
import { dismissCompletedAct, useActs } from '#office/frame/act-store.ts'
import { ActDialog } from '#office/frame/components/act-dialog.tsx'
import { CompletedActBar } from '#office/frame/components/completed-act-bar.tsx'
import { OfficePage } from '#office/frame/components/office-page.tsx'
import { PasskeyConfirmation } from '#office/frame/components/passkey-confirmation.tsx'
import { requestPasskey, useOfficeState } from '#office/frame/store.ts'
import { useScrollCurrentIntoView } from '#office/frame/use-scroll-current-into-view.ts'
import { ButtonLink } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { Row, Table } from '#ui/layout.tsx'
import { MantineRoot } from '#ui/mantine-provider.tsx'
import { addOfficeTexts } from '../../i18n/office-texts.ts'
import { NavigationRail } from './navigation-rail.tsx'
import classes from './office-layout.module.css'
import { OfficeMenu } from './office-menu.tsx'
import { accessibleScreensOf, accessibleSectionsOf, findOfficeScreen, type OfficeSection } from './office-navigation.ts'
import { CommandPalette } from './palette.tsx'
import { SidePanel } from './side-panel.tsx'
import { useOfficeShortcuts } from './use-office-shortcuts.ts'

const KEYS = ['find', 'search', 'next', 'previous', 'open', 'edit', 'close', 'help'] as const

/** Dialog that lists the keyboard shortcuts. */
function KeysDialog({ places, onClose }: { places: readonly OfficeSection[]; onClose: () => void }) {
  const { t } = useTranslation('office')
  const rows = [
    ...KEYS.map(key => [t(`keys.${key}.key`), t(`keys.${key}.does`)]),
    ...places.map(({ key, letter }) => [`g ${letter}`, t(`nav.${key}`)]),
  ]
  return (
    <Dialog title={t('keys.title')} onClose={onClose}>
      <Table>
        <tbody>
          {rows.map(([key, does]) => (
            <tr key={key}>
              <th scope="row">
                <kbd>{key}</kbd>
              </th>
              <td>{does}</td>
            </tr>
          ))}
        </tbody>
      </Table>
    </Dialog>
  )
}

/** The address is not one of the desk's, or its page needs another right. */
function UnknownPage({ places }: { places: readonly OfficeSection[] }) {
  const { t } = useTranslation(['office', 'shell'])
  return (
    <OfficePage title={t('shell:title.not-found')} lead={t('shell:notFound.text')}>
      <Row>
        {places.slice(0, 1).map(({ key, path }) => (
          <ButtonLink key={key} href={path} look="primary">
            {t(`nav.${key}`)}
          </ButtonLink>
        ))}
        <ButtonLink href="/home" look="quiet">
          {t('shell:notFound.start')}
        </ButtonLink>
      </Row>
    </OfficePage>
  )
}

addOfficeTexts()

const markUserActivity = () => {
  officeCallHooks.isUserActive = true
}
const INPUT_EVENTS = ['pointerdown', 'keydown'] as const

/**
 * Sets the office's hooks in the API client, which report user activity and request a passkey. Returns a cleanup
 * function.
 */
function connectCalls(): () => void {
  officeCallHooks.confirmSession = requestPasskey
  for (const kind of INPUT_EVENTS) window.addEventListener(kind, markUserActivity, true)
  return () => {
    for (const kind of INPUT_EVENTS) window.removeEventListener(kind, markUserActivity, true)
  }
}

type Overlay = 'palette' | 'menu' | 'keys' | null

/** Layout of the office UI: navigation rail, current screen, and the dialog shared by all actions. */
export function OfficeLayout() {
  const [location, navigate] = useLocation()
  const rights = useSession(state => state.session?.rights) ?? []
  const isPasskeyAsked = useOfficeState(state => state.isPasskeyAsked)
  const hasDialog = useActs(state => state.asked !== null)
  const places = accessibleSectionsOf(rights)
  const screens = accessibleScreensOf(rights)
  const present = findOfficeScreen(screens, location)
  const here = present?.place
  const pages = places.find(({ key }) => key === here)?.pages ?? []
  const [overlay, setOverlay] = useState<Overlay>(null)
  const close = useCallback(() => setOverlay(null), [])
  useOfficeShortcuts({
    onFind: useCallback(() => setOverlay('palette'), []),
    onHelp: useCallback(() => setOverlay('keys'), []),
    onGo: letter => {
      const place = places.find(one => one.letter === letter)
      if (place) navigate(place.path)
    },
  })
  useEffect(connectCalls, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was done on another screen is no longer told
  useEffect(dismissCompletedAct, [location])
  return (
    <MantineRoot>
      <div className={classes.office}>
        <NavigationRail
          places={places}
          here={here}
          onFind={() => setOverlay('palette')}
          onMenu={() => setOverlay('menu')}
        />
        <main id="main" tabIndex={-1} className={classes.main}>
          <Offline />
          {isPasskeyAsked && !hasDialog && <PasskeyConfirmation />}
          <div hidden={isPasskeyAsked}>
            {pages.length > 1 && <Pages pages={pages} location={location} />}
            <CompletedActBar />
            {present && <present.screen key={present.path} last={present.last} />}
            {!present &&
              (location === '/office' && places[0] ? (
                <Redirect to={places[0].path} replace />
              ) : (
                <UnknownPage places={places} />
              ))}
          </div>
        </main>
        {!isPasskeyAsked && <SidePanel screens={screens} />}
        {overlay === 'palette' && !isPasskeyAsked && <CommandPalette onClose={close} />}
        {overlay === 'menu' && (
          <OfficeMenu places={places} here={here} onKeys={() => setOverlay('keys')} onClose={close} />
        )}
        {overlay === 'keys' && <KeysDialog places={places} onClose={close} />}
        <ActDialog />
      </div>
    </MantineRoot>
  )
}

/** Tabs for the pages of the current office section. */
function Pages({ pages, location }: { pages: OfficeSection['pages']; location: string }) {
  const { t } = useTranslation('office')
  const strip = useScrollCurrentIntoView<HTMLElement>(location)
  return (
    <nav ref={strip} className={classes.pages} aria-label={t('nav.pages')}>
      {pages.map(({ path, nav }) => (
        <Link key={path} href={path} {...(location === path && { 'aria-current': 'page' as const })}>
          {t(`page.${nav}`)}
        </Link>
      ))}
    </nav>
  )
}

function Offline() {
  const { t } = useTranslation('office')
  const isOnline = useOnline(state => state.isOnline)
  return (
    <div role="status" data-fleeting>
      {!isOnline && (
        <p className={classes.offline}>
          {t('shell:banner.offline')}
          {t('shell:banner.offlineText')}
        </p>
      )}
    </div>
  )
}
