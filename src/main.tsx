import '@mantine/core/styles/default-css-variables.css'
import '@mantine/core/styles/baseline.css'
import '@mantine/core/styles/global.css'
import '@mantine/core/styles/UnstyledButton.css'
import '@mantine/core/styles/CloseButton.css'
import '@mantine/core/styles/Notification.css'
import '@mantine/notifications/styles.css'
import './app/theme/tokens.css'
import './app/theme/base.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/app.tsx'
import { watchInstall } from './app/pwa/install.ts'
import { registerWorker } from './app/pwa/update.ts'
import { watchFaults } from './app/report-fault.ts'
import { preloadScreen } from './app/routes.tsx'
import { startApp } from './app/start.ts'
import { startTexts } from './i18n/i18n.ts'

watchFaults()
watchInstall()
const started = startApp()
preloadScreen()
await startTexts().catch(error => {
  document.getElementById('no-start')?.removeAttribute('hidden')
  throw error
})
createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
await started
// A browser that refuses workers (private windows, settings) runs the app without them.
await registerWorker().catch(() => undefined)
