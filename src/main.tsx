import './app/theme/fonts.css'
import './app/theme/tokens.css'
import './app/theme/base.css'
import { StrictMode, startTransition } from 'react'
import { retryUntilLoaded, waitForPageLoad, yieldToEventLoop } from '#lib/lazy-load.ts'
import { skipStaleOverlayEntries } from '#lib/overlay-history.ts'
import './app/first-parts.ts'
import { App } from './app/app.tsx'
import { createRoot } from './app/create-root.ts'
import { loadFirstScreenData, preserveInputAndFocus } from './app/first-data.ts'
import { trackInstallability } from './app/pwa/install.ts'
import './app/pwa/initial-service-worker.ts'
import { reportUnhandledErrors } from './app/report-fault.ts'
import { preloadScreen, setOfficeScreen } from './app/routes.tsx'
import { startApp } from './app/start.ts'
import { initializeTexts } from './i18n/i18n.ts'

type Rule = (text: string) => string | null
type Factory = { createPolicy(name: string, rules: { createScriptURL: Rule; createScript: Rule }): unknown }

/** Whether the URL is one of the app's own workers, the only script URLs that the policy allows. */
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
    // The text is not JSON, so it is not structured data.
    return false
  }
}

/**
 * Enforces Trusted Types: strings cannot be turned into HTML, code or script URLs, so an injection through a library
 * executes nothing. Exceptions are sanitized HTML (whose sanitizer has its own policy), JSON, and the app's workers.
 */
function setTrustedTypes(): void {
  const trustedTypes: Factory | undefined = Reflect.get(globalThis, 'trustedTypes')
  trustedTypes?.createPolicy('default', {
    createScriptURL: url => (isOwnWorker(url) ? url : null),
    createScript: text => (isData(text) ? text : null),
  })
}

/** There is no top-level await, because the screens import from the same chunk and would wait for it. */
async function run(): Promise<void> {
  // Evaluating the app was already a long task on a slow phone, so yield first.
  await yieldToEventLoop()
  const { promise: shown, resolve: tellShown } = Promise.withResolvers<void>()
  const started = startApp(shown)
  const texts = initializeTexts().catch(error => {
    document.getElementById('no-start')?.removeAttribute('hidden')
    throw error
  })
  const root = document.getElementById('root')
  if (!root) throw new Error('the page has no root element for the app')
  await Promise.all([texts, preloadScreen(), loadFirstScreenData(root)])
  const takeOver = preserveInputAndFocus(root)
  // React renders concurrently, yielding to input, and shows the result in one step. The server-rendered HTML remains
  // until then. See docs/decisions/0064.
  const { promise: made, resolve: tellMade } = Promise.withResolvers<void>()
  startTransition(() =>
    createRoot(root).render(
      <StrictMode>
        <App onMade={tellMade} />
      </StrictMode>,
    ),
  )
  await made
  takeOver()
  tellShown()
  await Promise.all([started, waitForPageLoad()])
  const { startAfterFirstRender } = await retryUntilLoaded(() => import('./app/after-first-render.ts'))
  await startAfterFirstRender()
}

setTrustedTypes()
setOfficeScreen(() => import('./office/shell/office-guard.tsx').then(m => m.OfficeGuard))
reportUnhandledErrors()
trackInstallability()
skipStaleOverlayEntries()
run()
