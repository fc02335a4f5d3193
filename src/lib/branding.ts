import type { AppBranding } from '#contract/endpoints/branding.ts'

declare global {
  /** Set by the server during server-side rendering, where there is no document. */
  var portalBranding: AppBranding | undefined
}

/**
 * Reads the branding that the server embeds in the HTML document. It is available before the first render, and offline.
 */
const readBranding = (): AppBranding => {
  const inPage = globalThis.document?.getElementById('branding')?.textContent
  if (inPage) return JSON.parse(inPage)
  if (!globalThis.portalBranding) throw new Error('the page contains no branding data')
  return globalThis.portalBranding
}

/** Branding of this installation: names, addresses, contacts and logos (branding/branding.json). */
export const branding = readBranding()
