import { create } from 'zustand'
import { ANONYMOUS_SESSION, type Credentials, type Session } from '#contract/endpoints/session.ts'
import { api } from '#lib/api.ts'
import { NoResponseError, onReachabilityReport, onSessionLost } from '#lib/api-error.ts'
import { withProgress } from '#lib/progress.ts'
import {
  clearSessionToken,
  readSessionToken,
  storeSessionToken,
  TOKEN_KEY,
  tokenStorage,
  tryStorage,
} from '#lib/session-token.ts'

/** Properties of the session that become false once the user has acted on them. */
type SessionHint = 'hasUnreadMessages' | 'isDivisionToSet' | 'isProfileToComplete' | 'isPasswordToChange'

type SessionState = {
  /** `checking` until the stored token has been validated or the server turns out to be unreachable */
  phase: 'checking' | 'none' | 'started'
  session: Session | null
  /** validates the stored token; if there is no response, the last known session continues (offline) */
  check: () => Promise<void>
  login: (credentials: Credentials) => Promise<Session>
  logout: () => Promise<void>
  update: (changes: Partial<Pick<Session, SessionHint>>) => void
}

const LAST_SESSION_KEY = 'LastSession'
/** Stored from the logout of a company login until the page that ends the company's session can be opened. */
const COMPANY_LOGOUT_KEY = 'CompanyLogout'
const NOTHING_TO_DO: Record<SessionHint, false> = {
  hasUnreadMessages: false,
  isDivisionToSet: false,
  isProfileToComplete: false,
  isPasswordToChange: false,
}

/** Stores the user of this token so that the app can start offline. Never stores the token itself. */
function rememberSession(session: Session): void {
  try {
    tokenStorage().setItem(LAST_SESSION_KEY, JSON.stringify({ ...session, id: '' }))
  } catch {
    // The storage is blocked, so the session cannot be restored when the app starts offline.
  }
}

function forgetSession(): void {
  try {
    for (const storage of [localStorage, sessionStorage]) storage.removeItem(LAST_SESSION_KEY)
  } catch {
    // The storage is blocked, so there is nothing to delete.
  }
}

/**
 * @param stored value written by this version of the app or by an older one that stored fewer fields; may be corrupted
 */
function isSession(stored: unknown): stored is Session {
  if (typeof stored !== 'object' || stored === null) return false
  const values: Record<string, unknown> = { ...stored }
  return (
    Array.isArray(values.rights) &&
    Object.entries(ANONYMOUS_SESSION).every(([key, value]) => typeof values[key] === typeof value)
  )
}

function recallSession(token: string): Session | null {
  try {
    const stored = JSON.parse(tokenStorage().getItem(LAST_SESSION_KEY) ?? 'null')
    const recalled: unknown = { ...NOTHING_TO_DO, rights: [], ...stored, id: token }
    return isSession(recalled) ? recalled : null
  } catch {
    // The storage is blocked or its content is damaged, so there is no stored session.
    return null
  }
}

/** Time limit for the validation in ms, after which the last known session continues until the response arrives. */
const CHECK_PATIENCE_MS = 1_500

/**
 * Subscribes to logins and logouts in other tabs with the same session. The stored token is read again instead of that of
 * the event, which may be outdated: a login removes the former token before it stores the new one.
 */
function onTokenChangedElsewhere(listener: (token: string | null) => void): void {
  window.addEventListener('storage', ({ key, storageArea }) => {
    if (
      (key === null || key === TOKEN_KEY) &&
      storageArea === localStorage &&
      sessionStorage.getItem(TOKEN_KEY) === null
    )
      listener(localStorage.getItem(TOKEN_KEY))
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
  const whileAsking = <Result>(request: Promise<Result>): Promise<Result> => {
    isAsking = true
    return request.finally(() => {
      isAsking = false
    })
  }
  onSessionLost(end)
  const forgetCompanyLogout = () => tryStorage(() => localStorage.removeItem(COMPANY_LOGOUT_KEY))
  const endAtCompany = () => {
    forgetCompanyLogout()
    window.location.assign('/api/session/company/end')
  }
  // If the app started offline and the user is unknown, the first response to any request triggers another validation.
  onReachabilityReport(isReachable => {
    if (!isReachable || isAsking || get().phase !== 'none') return
    if (readSessionToken()) get().check()
    // On the way back from the company login, there is a new session of the company.
    else if (new URLSearchParams(window.location.search).has('company')) forgetCompanyLogout()
    else if (tryStorage(() => localStorage.getItem(COMPANY_LOGOUT_KEY))) endAtCompany()
  })
  onTokenChangedElsewhere(token => {
    if (token === null) end()
    else if (get().session && token !== get().session?.id) get().check()
  })
  // Pages in the back/forward cache miss logins and logouts of other tabs and devices.
  window.addEventListener('pageshow', ({ persisted }) => persisted && get().check())

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
      try {
        const session = await whileAsking(api.checkSession({ token }))
        clearTimeout(patience)
        // The user may have logged out, or in again, during the request.
        if (readSessionToken() !== token) return
        if (session.status === 'Ok') start(session)
        else if (session.status === 'NotFound') end()
        else goOn()
      } catch {
        // The current session continues until the server responds.
        clearTimeout(patience)
        if (get().phase === 'checking') goOn()
      }
    },

    login: async credentials => {
      const session = await whileAsking(withProgress(api.login({ body: credentials })))
      if (session.status === 'Ok') {
        storeSessionToken(session.id, session.keepSession)
        start(session)
      }
      return session
    },

    logout: async () => {
      const { id: token, isByCompany } = get().session ?? {}
      end()
      if (isByCompany) tryStorage(() => localStorage.setItem(COMPANY_LOGOUT_KEY, 'pending'))
      // The session ends on this device in any case; the server is notified if it can be reached.
      const error = token && (await whileAsking(api.logout({ token })).catch(failure => failure))
      if (isByCompany && !(error instanceof NoResponseError)) endAtCompany()
    },

    update: changes => {
      const { session } = get()
      if (session) start({ ...session, ...changes })
    },
  }
})
