const BOOT = '<script src="/boot.js"></script>'
const STYLE = /<link\s+rel="stylesheet"[^>]*>/g
const FONT = /<link\s+rel="preload"[^>]*as="font"[^>]*>/g
const FACE = /@font-face\s*\{([^}]*)\}/g
const ADDRESS = /(?:src|href)="([^"]+)"/

const addressOf = (tag: string) => ADDRESS.exec(tag)?.[1] ?? ''

/** As a page's policy names it. */
async function nameText(text: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return `'sha256-${btoa(String.fromCharCode(...new Uint8Array(hash)))}'`
}

/** What lies under an address; null where it lies there more than once, since a version waits beside this one. */
async function findFile(cache: Cache, address: string): Promise<Response | null> {
  const [file, other] = await cache.matchAll(address, { ignoreSearch: true })
  return file && !other ? file : null
}

/** A font that the page would fetch, as boot.js takes it: family, bytes, and when it is meant. @param styles where its rule stands */
async function holdFont(cache: Cache, address: string, styles: string): Promise<string[] | null> {
  const rule = [...styles.matchAll(FACE)].map(([, text = '']) => text).find(text => text.includes(address))
  const file = rule && (await findFile(cache, address))
  if (!file) return null
  const said = (name: string) => new RegExp(`${name}:\\s*"?([^;"]+)`).exec(rule)?.[1] ?? ''
  const bytes = new Uint8Array(await file.arrayBuffer())
  return [said('font-family'), btoa(String.fromCharCode(...bytes)), said('font-weight'), said('unicode-range')]
}

/**
 * The page with its styles and boot.js inside, as the server sends one that shows something: from the device each of them is
 * a question to the worker, and the first paint waits for them all. Its policy names them by their hashes, and nothing else.
 * Its fonts are inside, too: one that is fetched comes when all has been laid out without it. See docs/decisions/0064.
 * @param cache where the files of this version lie
 */
export async function holdInside(html: string, headers: Headers, cache: Cache): Promise<string> {
  const policy = headers.get('Content-Security-Policy')
  if (policy === null) return html
  const inside = new Map<string, string>()
  const named = { script: '', style: '' }
  for (const tag of [BOOT, ...(html.match(STYLE) ?? [])]) {
    const file = await findFile(cache, addressOf(tag))
    // It stays a file beside the page.
    if (!file) continue
    const text = await file.text()
    // The app asks whether its styles are there by their links: these name them, and fetch nothing.
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
