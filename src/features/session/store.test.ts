// @vitest-environment happy-dom
import { beforeEach, expect, test, vi } from 'vitest'
import { ANONYMOUS_SESSION } from '#contract/endpoints/session.ts'
import { reportReachability } from '#lib/api-error.ts'
import { storeSessionToken, TOKEN_KEY } from '#lib/session-token.ts'
import { useSession } from './store.ts'

const sessionOf = (id: string) => ({ ...ANONYMOUS_SESSION, id, webUserId: id.length, userName: `${id}@demo.example` })

/** Tokens of sessions that were ended elsewhere. */
const ended = new Set<string>()
vi.stubGlobal('fetch', async ({ headers }: Request) => {
  const token = headers.get('SessionToken') ?? ''
  return Response.json({ ...sessionOf(token), status: ended.has(token) ? 'NotFound' : 'Ok' })
})

/** Another tab writes the token; the event arrives later, for each write in turn. */
function writeInOtherTab(...tokens: (string | null)[]): void {
  const last = tokens.at(-1) ?? null
  if (last === null) localStorage.removeItem(TOKEN_KEY)
  else localStorage.setItem(TOKEN_KEY, last)
  for (const newValue of tokens)
    window.dispatchEvent(new StorageEvent('storage', { key: TOKEN_KEY, newValue, storageArea: localStorage }))
}

beforeEach(() => {
  ended.clear()
  window.location.href = 'http://portal.example/home'
  storeSessionToken('mara', true)
  useSession.setState({ phase: 'started', session: sessionOf('mara') })
})

test('a logout in another tab ends the session here', () => {
  writeInOtherTab(null)
  expect(useSession.getState()).toMatchObject({ phase: 'none', session: null })
})

test('a new login of the same user in another tab ends no session', async () => {
  writeInOtherTab(null, 'new mara')
  await vi.waitFor(() => expect(useSession.getState().session?.id).toBe('new mara'))
  expect(localStorage.getItem(TOKEN_KEY)).toBe('new mara')
})

test('a login of another user in another tab is shown here as well, because requests use that session', async () => {
  writeInOtherTab('ben')
  await vi.waitFor(() => expect(useSession.getState().session?.userName).toBe('ben@demo.example'))
})

test.each([
  ['a logout in another tab', null, null],
  ['a login of another user in another tab', 'ben', 'ben@demo.example'],
  ['the end of the session on another device', 'mara', null],
])('%s is noticed after the back/forward cache, where no event arrives', async (_, token, userName) => {
  ended.add('mara')
  if (token === null) localStorage.removeItem(TOKEN_KEY)
  else localStorage.setItem(TOKEN_KEY, token)
  window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }))
  await vi.waitFor(() => expect(useSession.getState().session?.userName ?? null).toBe(userName))
})

test('a logout without a network stays in the app, and ends the company login once the portal responds', async () => {
  const leave = vi.spyOn(window.location, 'assign').mockImplementation(() => undefined)
  const logOut = () => {
    useSession.setState({ phase: 'started', session: { ...sessionOf('mara'), isByCompany: true } })
    return useSession.getState().logout()
  }
  await logOut()
  expect(leave).toHaveBeenCalledWith('/api/session/company/end')
  leave.mockClear()
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
  await logOut()
  expect(leave).not.toHaveBeenCalled()
  expect(useSession.getState().session).toBeNull()

  // Not while somebody else is logged in.
  useSession.setState({ phase: 'started', session: sessionOf('ben') })
  reportReachability(true, Date.now())
  expect(leave).not.toHaveBeenCalled()
  useSession.setState({ phase: 'none', session: null })
  reportReachability(true, Date.now())
  reportReachability(true, Date.now())
  expect(leave.mock.calls).toEqual([['/api/session/company/end']])
})

test('the company login is ended also by another tab, but not that of somebody who has logged in since', async () => {
  const leave = vi.spyOn(window.location, 'assign').mockImplementation(() => undefined)
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
  useSession.setState({ phase: 'started', session: { ...sessionOf('mara'), isByCompany: true } })
  const loggedOut = useSession.getState().logout()
  // Another tab has only what is stored, which does not wait for the response.
  expect(localStorage.getItem('CompanyLogout')).toBe('pending')
  await loggedOut
  window.history.replaceState(null, '', '/login?company')
  reportReachability(true, Date.now())
  window.history.replaceState(null, '', '/')
  reportReachability(true, Date.now())
  localStorage.setItem('CompanyLogout', 'pending')
  localStorage.setItem(TOKEN_KEY, 'ben')
  reportReachability(true, Date.now())
  expect(leave).not.toHaveBeenCalled()
})
