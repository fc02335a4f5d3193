const BOOT = '<script src="/boot.js"></script>'
const STYLE = /<link\s+rel="stylesheet"[^>]*>/g
const FONT = /<link\s+rel="preload"[^>]*as="font"[^>]*>/g
const FACE = /@font-face\s*\{([^}]*)\}/g
const ADDRESS = /(?:src|href)="([^"]+)"/

const addressOf = (tag: string) => ADDRESS.exec(tag)?.[1] ?? ''

/** CSP source expression of an inline text. */
async function nameText(text: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return `'sha256-${btoa(String.fromCharCode(...new Uint8Array(hash)))}'`
}

/** Looks up a cached file; null if several versions are cached, as during an update. */
async function findFile(cache: Cache, address: string): Promise<Response | null> {
  const [file, other] = await cache.matchAll(address, { ignoreSearch: true })
  return file && !other ? file : null
}

/** A font for boot.js: family, data, and descriptors of its rule. @param styles CSS text with the @font-face rule */
async function holdFont(cache: Cache, address: string, styles: string): Promise<string[] | null> {
  const rule = [...styles.matchAll(FACE)].map(([, text = '']) => text).find(text => text.includes(address))
  const file = rule && (await findFile(cache, address))
  if (!file) return null
  const said = (name: string) => new RegExp(`${name}:\\s*"?([^;"]+)`).exec(rule)?.[1] ?? ''
  const bytes = new Uint8Array(await file.arrayBuffer())
  return [said('font-family'), btoa(String.fromCharCode(...bytes)), said('font-weight'), said('unicode-range')]
}

/**
 * Inlines styles, boot.js and fonts into the cached page, like the server's first views: loaded from the device, each
 * file is a request to the service worker that delays the first paint. The CSP allows exactly these by hash. A font
 * that is fetched arrives after the layout. See docs/decisions/0064.
 * @param cache precache of this version
 */
export async function inlineAssets(html: string, headers: Headers, cache: Cache): Promise<string> {
  const policy = headers.get('Content-Security-Policy')
  if (policy === null) return html
  const inside = new Map<string, string>()
  const named = { script: '', style: '' }
  for (const tag of [BOOT, ...(html.match(STYLE) ?? [])]) {
    const file = await findFile(cache, addressOf(tag))
    // Remains an external file.
    if (!file) continue
    const text = await file.text()
    // The app checks for its styles by <link> elements: these inert ones identify them without a fetch.
    inside.set(
      tag,
      tag === BOOT ? `<script>${text}</script>` : `<style>${text}</style>${tag.replace('>', ' disabled>')}`,
    )
    named[tag === BOOT ? 'script' : 'style'] += ` ${await nameText(text)}`
  }
  const styles = [...inside.values()].join('')
  const fonts: string[][] = []
  for (const [tag] of html.matchAll(FONT)) {
    const font = await holdFont(cache, addressOf(tag), styles)
    if (!font) continue
    fonts.push(font)
    inside.set(tag, '')
  }
  const heldFonts = `<script type="application/json" id="fonts">${JSON.stringify(fonts)}</script>`
  inside.set(BOOT, heldFonts + (inside.get(BOOT) ?? BOOT))
  headers.set(
    'Content-Security-Policy',
    policy.replace(/(script|style)-src [^;]*/g, (found, kind: 'script' | 'style') => found + named[kind]),
  )
  return [...inside].reduce((page, [tag, text]) => page.replace(tag, () => text), html)
}
