import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import type { AppBranding } from '#contract/branding.ts'

/** As src/app/first-view.tsx exports it. */
type Render = (screen: string, address: string, data: unknown) => Promise<string>
export type FirstViewRequest = { screen: string; address: string; data: unknown; port: MessagePort }
export type FirstViewAnswer = { markup: string } | { fault: unknown }

// What the app's files expect of a browser when they are loaded; a first view asks for nothing of it but the address.
type Given = { module: string; publicUrl: string; branding: AppBranding }
const { module, publicUrl, branding }: Given = workerData
const { hostname, origin } = new URL(publicUrl)
const window = { addEventListener() {}, location: { hostname, origin }, matchMedia: () => ({ matches: false }) }
Object.assign(globalThis, { window, document: undefined, addEventListener() {}, portalBranding: branding })

const { renderFirstView }: { renderFirstView: Render } = await import(module)

parentPort?.on('message', async ({ screen, address, data, port }: FirstViewRequest) => {
  const answer: FirstViewAnswer = await renderFirstView(screen, address, data).then(
    markup => ({ markup }),
    fault => ({ fault }),
  )
  port.postMessage(answer)
  port.close()
})
