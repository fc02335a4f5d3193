import { act } from 'react'
import { beforeEach, expect, test, vi } from 'vitest'
import { LoginBox } from '#app/shell/login-box.tsx'
import { useSession } from '#features/session/store.ts'
import { fill, render } from '#test/render.tsx'
import { AccountEmailButtons } from './components/mail-links.tsx'
import { SessionsScreen } from './sessions-screen.tsx'

const { showError, showSuccess } = vi.hoisted(() => ({ showError: vi.fn(), showSuccess: vi.fn() }))
vi.mock('#lib/toast.ts', () => ({ showError, showSuccess }))

beforeEach(() => {
  vi.clearAllMocks()
  window.history.replaceState(null, '', '/login')
  vi.spyOn(document, 'cookie', 'get').mockReturnValue('XSRF-TOKEN=known')
})

const buttonsOf = (label: string) =>
  [...document.querySelectorAll('button')].filter(({ textContent }) => textContent === label)

/** Taps a button twice, faster than the server answers. */
async function tapTwice(label: string): Promise<void> {
  const [button] = buttonsOf(label)
  if (!button) throw new Error(`there is no button ${label}`)
  await act(async () => {
    button.click()
    button.click()
  })
}

test('requesting the activation mail with a double tap does not report that one has to wait', async () => {
  let sent = 0
  vi.stubGlobal('fetch', async () => Response.json({ status: sent++ ? 'Failed' : 'Ok', message: 'Bitte warten' }))
  await render(<AccountEmailButtons userName="kim@demo.example" />, 'session')
  await tapTwice('Aktivierungsmail noch einmal senden')
  await vi.waitFor(() => expect(showSuccess).toHaveBeenCalled())
  expect(sent).toBe(1)
  expect(showError).not.toHaveBeenCalled()
})

test('a double click in the login box logs in once', async () => {
  let sent = 0
  vi.stubGlobal('fetch', async () => {
    sent += 1
    return Response.json({ status: 'WrongPWorUser', message: 'Falsch' })
  })
  const box = await render(<LoginBox onDone={() => undefined} />, 'shell', 'session')
  await fill(box, 'username', 'kim@demo.example')
  await fill(box, 'password', 'Falsch-2026')
  await tapTwice('Anmelden')
  await vi.waitFor(() => expect(showError).toHaveBeenCalledWith('Falsch'))
  expect(sent).toBe(1)
  await tapTwice('Anmelden')
  await vi.waitFor(() => expect(sent).toBe(2))
})

/** Opens the sessions page with three other devices. Once a session has ended, further listings get no response. */
async function showSessions(): Promise<void> {
  const at = { year: 2026, month: 11, day: 1, hour: 8, minute: 0, second: 0 }
  const sessionOf = (device: string, id: number) => {
    const isCurrent = id === 0
    return { id: String(id), device, startedAt: at, lastUsedAt: at, isKept: false, isCurrent }
  }
  const sessions = ['Portal', 'Firefox', 'Safari', 'Opera'].map(sessionOf)
  const ended = new Set<string>()
  vi.stubGlobal('fetch', async ({ method, url }: Request) => {
    if (url.endsWith('passkeys')) return Response.json([])
    if (method === 'GET') return ended.size > 0 ? new Promise(() => undefined) : Response.json(sessions)
    if (ended.has(url)) return Response.json({ status: 'Failed', message: 'fehlt' }, { status: 404 })
    ended.add(url)
    return Response.json({ status: 'Ok', message: '' })
  })
  useSession.setState({ phase: 'started', session: { id: 't', rights: [] } as never })
  await render(<SessionsScreen />, 'session', 'accounts')
  await vi.waitFor(() => expect(buttonsOf('Abmelden')).toHaveLength(3))
}

test('ending sessions with double taps ends each, before the list is loaded again, and reports no error', async () => {
  await showSessions()
  await tapTwice('Abmelden')
  await vi.waitFor(() => expect(showSuccess).toHaveBeenLastCalledWith('Firefox ist abgemeldet.'))
  await vi.waitFor(() => expect(buttonsOf('Abmelden')).toHaveLength(2))
  await tapTwice('Abmelden')
  await vi.waitFor(() => expect(showSuccess).toHaveBeenLastCalledWith('Safari ist abgemeldet.'))
  await act(async () => buttonsOf('Überall sonst abmelden')[0]?.click())
  await act(async () => buttonsOf('Überall sonst abmelden').at(-1)?.click())
  await vi.waitFor(() => expect(showSuccess).toHaveBeenLastCalledWith('Alle anderen Geräte sind abgemeldet.'))
  expect(showError).not.toHaveBeenCalled()
})
