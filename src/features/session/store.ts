import { create } from 'zustand'
import type { Credentials, Session } from '#contract/session.ts'
import { onSessionLost } from '#lib/api-client.ts'
import { withProgress } from '#lib/progress.ts'
import { clearSessionToken, readSessionToken, storeSessionToken } from '#lib/session-token.ts'
import { fetchSession, sendLogin, sendLogout } from './api.ts'

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

/** Who was logged in with this token, for a start without network. Never holds the token itself. */
function rememberSession(session: Session | null): void {
  try {
    if (session) localStorage.setItem(LAST_SESSION_KEY, JSON.stringify({ ...session, id: '' }))
    else localStorage.removeItem(LAST_SESSION_KEY)
  } catch {
    // Blocked storage: a start without network is then one without session.
  }
}

function recallSession(token: string): Session | null {
  try {
    const stored = localStorage.getItem(LAST_SESSION_KEY)
    return stored ? { ...JSON.parse(stored), id: token } : null
  } catch {
    return null
  }
}

export const useSession = create<SessionState>((set, get) => {
  const end = () => {
    clearSessionToken()
    rememberSession(null)
    set({ phase: 'none', session: null })
  }
  const start = (session: Session) => {
    rememberSession(session)
    set({ phase: 'started', session })
  }
  onSessionLost(end)

  return {
    phase: 'checking',
    session: null,

    check: async () => {
      const token = readSessionToken()
      if (!token) return set({ phase: 'none', session: null })
      try {
        const session = await fetchSession(token)
        if (session.status === 'Ok') start(session)
        else end()
      } catch {
        const session = recallSession(token)
        set(session ? { phase: 'started', session } : { phase: 'none', session: null })
      }
    },

    login: async credentials => {
      const session = await withProgress(sendLogin(credentials))
      if (session.status === 'Ok') {
        storeSessionToken(session.id, session.keepSession)
        start(session)
      }
      return session
    },

    logout: async () => {
      const token = get().session?.id
      end()
      // The session ends here whatever the network does; the server is told when it can be reached.
      if (token) await sendLogout(token).catch(() => undefined)
    },

    update: changes => {
      const { session } = get()
      if (session) start({ ...session, ...changes })
    },
  }
})
