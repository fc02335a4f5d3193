import { act } from 'react'
import { beforeEach, expect, test, vi } from 'vitest'
import { useSession } from '#features/session/store.ts'
import { render } from '#test/render.tsx'
import { AccountEmailButtons } from './components/mail-links.tsx'
import { SessionsScreen } from './sessions-screen.tsx'

const showError = vi.hoisted(() => vi.fn())
vi.mock('#lib/toast.ts', () => ({ showError, showSuccess: vi.fn() }))

beforeEach(() => {
  showError.mockClear()
  window.history.replaceState(null, '', '/login')
  vi.spyOn(document, 'cookie', 'get').mockReturnValue('XSRF-TOKEN=known')
})

/** Taps a button twice, faster than the server answers. */
async function tapTwice(label: string): Promise<void> {
  const button = [...document.querySelectorAll('button')].find(({ textContent }) => textContent === label)
  if (!button) throw new Error(`there is no button ${label}`)
  await act(async () => {
    button.click()
    button.click()
  })
  await act(() => new Promise(resolve => setTimeout(resolve, 50)))
}

test('requesting the activation mail with a double tap does not report that one has to wait', async () => {
  let sent = 0
  vi.stubGlobal('fetch', async () => Response.json({ status: sent++ ? 'Failed' : 'Ok', message: 'Bitte warten' }))
  await render(<AccountEmailButtons userName="kim@demo.example" />, 'session')
  await tapTwice('Aktivierungsmail noch einmal senden')
  expect(sent).toBe(1)
  expect(showError).not.toHaveBeenCalled()
})

test('ending a session with a double tap does not report that it does not exist', async () => {
  const at = { year: 2026, month: 11, day: 1, hour: 8, minute: 0, second: 0 }
  let sessions = [{ id: '5', device: 'Firefox', startedAt: at, lastUsedAt: at, isKept: false, isCurrent: false }]
  vi.stubGlobal('fetch', async ({ method, url }: Request) => {
    if (method === 'GET') return Response.json(url.endsWith('passkeys') ? [] : sessions)
    const isThere = sessions.length > 0
    sessions = []
    return Response.json({ status: isThere ? 'Ok' : 'Failed', message: 'fehlt' }, { status: isThere ? 200 : 404 })
  })
  useSession.setState({ phase: 'started', session: { id: 't', rights: [] } as never })
  await render(<SessionsScreen />, 'session', 'accounts')
  await vi.waitFor(() => expect(document.body.textContent).toContain('Firefox'))
  await tapTwice('Abmelden')
  expect(showError).not.toHaveBeenCalled()
})
