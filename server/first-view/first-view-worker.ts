import { workerData } from 'node:worker_threads'
import type { AppBranding } from '#contract/endpoints/branding.ts'
import { handleJobs } from '#server/platform/process/thread-jobs.ts'

/** Exported by src/app/first-view.tsx. */
type Render = (screen: string, address: string, data: unknown) => Promise<string>
export type FirstViewRequest = { screen: string; address: string; data: unknown }

// The app's modules access these browser globals when they are loaded. Rendering itself needs only the page's URL.
type Given = { module: string; publicUrl: string; branding: AppBranding }
const { module, publicUrl, branding }: Given = workerData
const { hostname, origin } = new URL(publicUrl)
const window = { addEventListener() {}, location: { hostname, origin }, matchMedia: () => ({ matches: false }) }
Object.assign(globalThis, { window, document: undefined, addEventListener() {}, portalBranding: branding })

const { renderFirstView }: { renderFirstView: Render } = await import(module)

handleJobs(({ screen, address, data }: FirstViewRequest) => renderFirstView(screen, address, data))
