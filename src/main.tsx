import './app/theme/fonts.css'
import './app/theme/tokens.css'
import './app/theme/base.css'
import { StrictMode, startTransition } from 'react'
import { retryUntilLoaded } from '#lib/lazy-load.ts'
import { skipStaleEntries } from '#lib/overlay-history.ts'
import { nextTask, pageLoaded } from '#lib/page-loaded.ts'
import { setTrustedTypes } from '#lib/trusted-types.ts'
import './app/first-parts.ts'
import { App } from './app/app.tsx'
import { createRoot } from './app/create-root.ts'
import { firstDataFor, preserveInputAndFocus } from './app/first-data.ts'
import { watchInstall } from './app/pwa/install.ts'
import './app/pwa/served-by.ts'
import { watchFaults } from './app/report-fault.ts'
import { preloadScreen } from './app/routes.tsx'
import { startApp } from './app/start.ts'
import { startTexts } from './i18n/i18n.ts'

/** No top-level await: the screens import from the same chunk and would wait for its end. */
async function run(): Promise<void> {
  // Evaluating the app was already a long task on a slow phone: yield first.
  await nextTask()
  const { promise: shown, resolve: tellShown } = Promise.withResolvers<void>()
  const started = startApp(shown)
  const texts = startTexts().catch(error => {
    document.getElementById('no-start')?.removeAttribute('hidden')
    throw error
  })
  const root = document.getElementById('root')
  if (!root) throw new Error('the page has no root element for the app')
  await Promise.all([texts, preloadScreen(), firstDataFor(root)])
  const takeOver = preserveInputAndFocus(root)
  // See docs/decisions/0064. Rendered concurrently, yielding to input, and shown in one step: the server-rendered view
  // remains until then.
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
  await Promise.all([started, pageLoaded()])
  const { startAfterFirstRender } = await retryUntilLoaded(() => import('./app/after-first-render.ts'))
  await startAfterFirstRender()
}

setTrustedTypes()
watchFaults()
watchInstall()
skipStaleEntries()
run()
