const KEY = 'SessionToken'

/** Storage may be blocked (private mode, settings): the session then lives as long as the page. */
let tokenOfThisPage: string | null = null

const tryStorage = <T>(use: () => T): T | null => {
  try {
    return use()
  } catch {
    return null
  }
}

/** The stored session token: kept ones in localStorage, others per tab in sessionStorage. */
export const readSessionToken = (): string | null =>
  tryStorage(() => sessionStorage.getItem(KEY) ?? localStorage.getItem(KEY)) ?? tokenOfThisPage

export function storeSessionToken(token: string, isKept: boolean): void {
  clearSessionToken()
  tokenOfThisPage = token
  tryStorage(() => (isKept ? localStorage : sessionStorage).setItem(KEY, token))
}

export function clearSessionToken(): void {
  tokenOfThisPage = null
  tryStorage(() => localStorage.removeItem(KEY))
  tryStorage(() => sessionStorage.removeItem(KEY))
}
