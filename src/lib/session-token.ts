export const TOKEN_KEY = 'SessionToken'

/** Storage may be blocked (private mode, settings): the session then lives as long as the page. */
let tokenOfThisPage: string | null = null

const tryStorage = <T>(use: () => T): T | null => {
  try {
    return use()
  } catch {
    // Blocked: as if nothing were there.
    return null
  }
}

/** The stored session token: kept ones in localStorage, others per tab in sessionStorage. */
export const readSessionToken = (): string | null =>
  tryStorage(() => sessionStorage.getItem(TOKEN_KEY) ?? localStorage.getItem(TOKEN_KEY)) ?? tokenOfThisPage

/** The storage that holds the token: what is remembered of the session lies beside it. @throws when storage is blocked */
export const tokenStorage = (): typeof localStorage =>
  sessionStorage.getItem(TOKEN_KEY) === null ? localStorage : sessionStorage

/** Keeps the token of a login. @param isKept beyond the tab, as the person wished */
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
