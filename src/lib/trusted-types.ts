type Rule = (text: string) => string | null
type Factory = { createPolicy(name: string, rules: { createScriptURL: Rule; createScript: Rule }): unknown }

/** The workers of the app: nothing else may be run from an address that a script made. */
const isOwnWorker = (url: string) => {
  const { origin, pathname } = new URL(url, location.href)
  return origin === location.origin && /^\/(?:sw\.js|assets\/[\w-]*worker[\w-]*\.js)$/.test(pathname)
}

/** What search engines read stands in a script element, and does nothing. */
function isData(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    // No JSON is no data.
    return false
  }
}

/**
 * The page's policy forbids scripts to turn text into HTML, code or the address of code (Trusted Types), so that a hole in a
 * library runs nothing. What is left: HTML from the cleaner, which has a policy of its own, JSON, and the app's workers.
 */
export function setTrustedTypes(): void {
  const trustedTypes: Factory | undefined = Reflect.get(globalThis, 'trustedTypes')
  trustedTypes?.createPolicy('default', {
    createScriptURL: url => (isOwnWorker(url) ? url : null),
    createScript: text => (isData(text) ? text : null),
  })
}
