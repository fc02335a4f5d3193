import type { AppBranding } from '#contract/branding.ts'

declare global {
  /** Set by the server during server-side rendering, where no document exists. */
  var portalBranding: AppBranding | undefined
}

/** Read from the HTML document, where the server embeds it: available before the first render, and offline. */
const readBranding = (): AppBranding => {
  const inPage = globalThis.document?.getElementById('branding')?.textContent
  if (inPage) return JSON.parse(inPage)
  if (!globalThis.portalBranding) throw new Error('the page contains no branding data')
  return globalThis.portalBranding
}

/** Branding of this installation: names, addresses, contacts, logos (branding/branding.json). */
export const branding = readBranding()
