import type { AppBranding } from '#contract/branding.ts'

declare global {
  /** Set where there is no page: by the server for first views. */
  var portalBranding: AppBranding | undefined
}

/** The server puts it into the page, so that it is there before the first screen, offline too. */
const readBranding = (): AppBranding => {
  const inPage = globalThis.document?.getElementById('branding')?.textContent
  if (inPage) return JSON.parse(inPage)
  if (!globalThis.portalBranding) throw new Error('the page says not whose portal this is')
  return globalThis.portalBranding
}

/** Who runs this portal: names, addresses, persons, logos (branding/branding.json). */
export const branding = readBranding()
