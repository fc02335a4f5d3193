type Rule = (text: string) => string | null
type Factory = { createPolicy(name: string, rules: { createScriptURL: Rule; createScript: Rule }): unknown }

/** The app's own workers: the only script URLs that the policy allows. */
const isOwnWorker = (url: string) => {
  const { origin, pathname } = new URL(url, location.href)
  return origin === location.origin && /^\/(?:sw\.js|assets\/[\w-]*worker[\w-]*\.js)$/.test(pathname)
}

/** Structured data for search engines: a script element that is not executed. */
function isData(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    // Not JSON, so not structured data.
    return false
  }
}

/**
 * Enforces Trusted Types: scripts cannot turn strings into HTML, code or script URLs, so that an injection through a
 * library executes nothing. Exceptions: sanitized HTML (its sanitizer has its own policy), JSON, and the app's workers.
 */
export function setTrustedTypes(): void {
  const trustedTypes: Factory | undefined = Reflect.get(globalThis, 'trustedTypes')
  trustedTypes?.createPolicy('default', {
    createScriptURL: url => (isOwnWorker(url) ? url : null),
    createScript: text => (isData(text) ? text : null),
  })
}
