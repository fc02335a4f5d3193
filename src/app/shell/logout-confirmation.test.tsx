import 'fake-indexeddb/auto'
import { act } from 'react'
import { expect, test, vi } from 'vitest'
import { ANONYMOUS_SESSION } from '#contract/endpoints/session.ts'
import { useSession } from '#features/session/store.ts'
import { render } from '#test/render.tsx'
import { useLogoutConfirmation } from '../logout.ts'
import { LogoutConfirmation } from './logout-confirmation.tsx'

const unsubscribeUser = vi.hoisted(() => vi.fn(async () => undefined))
vi.mock('#features/reminders/push-store.ts', () => ({ unsubscribeUser }))
vi.stubGlobal('fetch', () => new Promise(() => undefined))

test('logging out despite unsent attendance also ends the push notifications of this device', async () => {
  useSession.setState({ phase: 'started', session: { ...ANONYMOUS_SESSION, id: 'token', webUserId: 7 } })
  useLogoutConfirmation.setState({ unsent: 3 })
  await render(<LogoutConfirmation />, 'attendance')
  const buttons = [...document.querySelectorAll('button')]
  await act(async () => buttons.find(({ textContent }) => textContent?.includes('abmelden'))?.click())
  await vi.waitFor(() => expect(useSession.getState().session).toBeNull())
  expect(unsubscribeUser).toHaveBeenCalledWith(7)
})
