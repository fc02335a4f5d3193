import { useCallback, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, Redirect, useLocation } from 'wouter'
import { Button } from '#components/button.tsx'
import { MantineRoot } from '#components/mantine-provider.tsx'
import tabs from '#components/tabs.module.css'
import { forgetDone, useActs } from '#features/office/act-store.ts'
import { ActDialog } from '#features/office/components/act-dialog.tsx'
import { DoneBar } from '#features/office/components/done-bar.tsx'
import { PasskeyGate } from '#features/office/components/passkey-gate.tsx'
import { hasAnyRight } from '#features/office/model.ts'
import { requestPasskey, useDesk } from '#features/office/store.ts'
import { useSession } from '#features/session/store.ts'
import { deskCalls } from '#lib/call.ts'
import { addOfficeTexts } from '../../i18n/office-texts.ts'
import { NotFound } from '../lazy-not-found.ts'
import classes from './office-layout.module.css'
import { Palette, usePaletteKey } from './palette.tsx'
import { deskScreens, findDeskScreen } from './screens.tsx'

addOfficeTexts()

const markUserActivity = () => {
  deskCalls.isUserActive = true
}
const INPUT_EVENTS = ['pointerdown', 'keydown'] as const

/** Connects the API client with the desk: user input, and the passkey confirmation. Returns the cleanup function. */
function connectCalls(): () => void {
  deskCalls.confirmSession = requestPasskey
  for (const kind of INPUT_EVENTS) window.addEventListener(kind, markUserActivity, true)
  return () => {
    for (const kind of INPUT_EVENTS) window.removeEventListener(kind, markUserActivity, true)
  }
}

/** Layout of the office: navigation, current screen, and the shared dialog for changes. */
export function Desk() {
  const { t } = useTranslation('office')
  const [location] = useLocation()
  const rights = useSession(state => state.session?.rights) ?? []
  const mine = deskScreens.filter(screen => screen.rights.length === 0 || hasAnyRight(rights, screen.rights))
  const isPasskeyAsked = useDesk(state => state.isPasskeyAsked)
  const hasDialog = useActs(state => state.asked !== null)
  const places = mine.filter(({ nav }) => nav)
  const [first] = places
  const present = findDeskScreen(mine, location)
  const [isFinding, setIsFinding] = useState(false)
  usePaletteKey(useCallback(() => setIsFinding(true), []))
  useEffect(connectCalls, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was done on another screen is no longer told
  useEffect(forgetDone, [location])
  return (
    <MantineRoot>
      <div className={classes.desk}>
        <nav aria-label={t('nav.label')}>
          <ul className={tabs.tabs}>
            {places.map(({ path, nav }) => (
              <li key={path}>
                <Link
                  href={path}
                  aria-current={location === path ? 'page' : location.startsWith(`${path}/`) && path !== '/office'}
                >
                  {t(`nav.${nav}`)}
                </Link>
              </li>
            ))}
            <li>
              <Button look="text" onClick={() => setIsFinding(true)}>
                {t('palette.button')}
              </Button>
            </li>
          </ul>
        </nav>
        {isPasskeyAsked && !hasDialog && <PasskeyGate />}
        <div hidden={isPasskeyAsked}>
          <DoneBar />
          {present && <present.screen key={present.path} last={present.last} />}
          {!present && (location === '/office' && first ? <Redirect to={first.path} replace /> : <NotFound />)}
        </div>
        {isFinding && !isPasskeyAsked && <Palette onClose={() => setIsFinding(false)} />}
        <ActDialog />
      </div>
    </MantineRoot>
  )
}
