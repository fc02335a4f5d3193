export const TOKEN_KEY = 'SessionToken'

/** Fallback if storage is blocked (private mode, settings). The session then lasts only as long as the page. */
let tokenOfThisPage: string | null = null

/** Accesses the storage; null if it is blocked. */
export const tryStorage = <T>(use: () => T): T | null => {
  try {
    return use()
  } catch {
    // Storage is blocked.
    return null
  }
}

/** The stored session token. Persistent sessions are in localStorage, others in the tab's sessionStorage. */
export const readSessionToken = (): string | null =>
  tryStorage(() => sessionStorage.getItem(TOKEN_KEY) ?? localStorage.getItem(TOKEN_KEY)) ?? tokenOfThisPage

/**
 * The storage area that contains the token; also used for other session data.
 * @throws if storage is blocked
 */
export const tokenStorage = (): typeof localStorage =>
  sessionStorage.getItem(TOKEN_KEY) === null ? localStorage : sessionStorage

/**
 * Stores the session token.
 * @param isKept keeps it after the tab is closed ("stay logged in")
 */
export function storeSessionToken(token: string, isKept: boolean): void {
  clearSessionToken()
  tokenOfThisPage = token
  tryStorage(() => (isKept ? localStorage : sessionStorage).setItem(TOKEN_KEY, token))
}

export function clearSessionToken(): void {
  tokenOfThisPage = null
  tryStorage(() => localStorage.removeItem(TOKEN_KEY))
  tryStorage(() => sessionStorage.removeItem(TOKEN_KEY))
}
