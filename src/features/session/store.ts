import { create } from 'zustand'
import { type Credentials, NOBODY, type Session } from '#contract/session.ts'
import { onReachability, onSessionLost } from '#lib/call.ts'
import { withProgress } from '#lib/progress.ts'
import { clearSessionToken, readSessionToken, storeSessionToken, TOKEN_KEY, tokenStorage } from '#lib/session-token.ts'
import { checkSession, login, logout } from './api.ts'

/** What the session says is to be done; true until it is. */
type SessionHint = 'hasUnreadMessages' | 'isDivisionToSet' | 'isProfileToComplete' | 'isPasswordToChange'

type SessionState = {
  /** `checking` until the stored token was judged, or the server could not be asked */
  phase: 'checking' | 'none' | 'started'
  session: Session | null
  /** judges the stored token; without an answer the last known session goes on (offline) */
  check: () => Promise<void>
  login: (credentials: Credentials) => Promise<Session>
  logout: () => Promise<void>
  update: (changes: Partial<Pick<Session, SessionHint>>) => void
}

const LAST_SESSION_KEY = 'LastSession'
const NOTHING_TO_DO: Record<SessionHint, false> = {
  hasUnreadMessages: false,
  isDivisionToSet: false,
  isProfileToComplete: false,
  isPasswordToChange: false,
}

/** Who was logged in with this token, for a start without network. Never holds the token itself. */
function rememberSession(session: Session): void {
  try {
    tokenStorage().setItem(LAST_SESSION_KEY, JSON.stringify({ ...session, id: '' }))
  } catch {
    // Blocked storage: a start without network is then one without session.
  }
}

function forgetSession(): void {
  try {
    for (const storage of [localStorage, sessionStorage]) storage.removeItem(LAST_SESSION_KEY)
  } catch {
    // Nothing to forget where nothing can be stored.
  }
}

/** @param stored what this app, or an older one that left out some of it, has noted; or whatever damage has made of it */
function isSession(stored: unknown): stored is Session {
  if (typeof stored !== 'object' || stored === null) return false
  const values: Record<string, unknown> = { ...stored }
  return (
    Array.isArray(values.rights) && Object.entries(NOBODY).every(([key, value]) => typeof values[key] === typeof value)
  )
}

function recallSession(token: string): Session | null {
  try {
    const stored = JSON.parse(tokenStorage().getItem(LAST_SESSION_KEY) ?? 'null')
    const recalled: unknown = { ...NOTHING_TO_DO, rights: [], ...stored, id: token }
    return isSession(recalled) ? recalled : null
  } catch {
    // Blocked or damaged storage: nobody is known.
    return null
  }
}

/** A weak network may keep the answer for long: then the last known session goes on meanwhile. */
const CHECK_PATIENCE_MS = 1_500

/** Tells when another tab has logged out of the session that this tab shares with it. */
function onLogoutElsewhere(listener: () => void): void {
  window.addEventListener('storage', ({ key, newValue, storageArea }) => {
    const isGone = key === null || (key === TOKEN_KEY && newValue === null)
    if (isGone && storageArea === localStorage && sessionStorage.getItem(TOKEN_KEY) === null) listener()
  })
}

export const useSession = create<SessionState>((set, get) => {
  const end = () => {
    clearSessionToken()
    forgetSession()
    set({ phase: 'none', session: null })
  }
  const start = (session: Session) => {
    rememberSession(session)
    set({ phase: 'started', session })
  }
  let isAsking = false
  onSessionLost(end)
  // A start without network that knew nobody by the token: the first answer of any call is a reason to ask again.
  onReachability(isReachable => {
    if (isReachable && !isAsking && get().phase === 'none' && readSessionToken()) get().check()
  })
  onLogoutElsewhere(end)

  return {
    phase: 'checking',
    session: null,

    check: async () => {
      const token = readSessionToken()
      if (!token) return set({ phase: 'none', session: null })
      const goOn = () => {
        const session = recallSession(token)
        set(session ? { phase: 'started', session } : { phase: 'none', session: null })
      }
      const patience = setTimeout(() => recallSession(token) && goOn(), CHECK_PATIENCE_MS)
      isAsking = true
      try {
        const session = await checkSession(token)
        clearTimeout(patience)
        // The person may have logged out or in again while the answer was on its way.
        if (readSessionToken() !== token) return
        if (session.status === 'Ok') start(session)
        else if (session.status === 'NotFound') end()
        else goOn()
      } catch {
        // Whoever was logged in stays so until the portal has answered.
        clearTimeout(patience)
        if (get().phase === 'checking') goOn()
      } finally {
        isAsking = false
      }
    },

    login: async credentials => {
      const session = await withProgress(login(credentials))
      if (session.status === 'Ok') {
        storeSessionToken(session.id, session.keepSession)
        start(session)
      }
      return session
    },

    logout: async () => {
      const { id: token, isByCompany } = get().session ?? {}
      end()
      // The session ends here whatever the network does; the server is told when it can be reached.
      if (token) await logout(token).catch(() => undefined)
      if (isByCompany) window.location.assign('/api/session/company/end')
    },

    update: changes => {
      const { session } = get()
      if (session) start({ ...session, ...changes })
    },
  }
})
