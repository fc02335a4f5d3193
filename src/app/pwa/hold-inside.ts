const BOOT = '<script src="/boot.js"></script>'
const STYLE = /<link\s+rel="stylesheet"[^>]*>/g
const ADDRESS = /(?:src|href)="([^"]+)"/

/** As a page's policy names it. */
async function nameText(text: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return `'sha256-${btoa(String.fromCharCode(...new Uint8Array(hash)))}'`
}

/** What lies under an address; null where it lies there more than once, since a version waits beside this one. */
async function readFile(cache: Cache, address: string): Promise<string | null> {
  const [file, other] = await cache.matchAll(address, { ignoreSearch: true })
  return file && !other ? file.text() : null
}

/**
 * The page with its styles and boot.js inside, as the server sends one that shows something: from the device each of them is
 * a question to the worker, and the first paint waits for them all. Its policy names them by their hashes, and nothing else.
 * See docs/decisions/0117.
 * @param cache where the files of this version lie
 */
export async function holdInside(html: string, headers: Headers, cache: Cache): Promise<string> {
  const policy = headers.get('Content-Security-Policy')
  if (policy === null) return html
  const inside = new Map<string, string>()
  const named = { script: '', style: '' }
  for (const tag of [BOOT, ...(html.match(STYLE) ?? [])]) {
    const text = await readFile(cache, ADDRESS.exec(tag)?.[1] ?? '')
    // It stays a file beside the page.
    if (text === null) continue
    // The app asks whether its styles are there by their links: these name them, and fetch nothing.
    inside.set(
      tag,
      tag === BOOT ? `<script>${text}</script>` : `<style>${text}</style>${tag.replace('>', ' disabled>')}`,
    )
    named[tag === BOOT ? 'script' : 'style'] += ` ${await nameText(text)}`
  }
  headers.set(
    'Content-Security-Policy',
    policy.replace(/(script|style)-src [^;]*/g, (found, kind: 'script' | 'style') => found + named[kind]),
  )
  return [...inside].reduce((page, [tag, text]) => page.replace(tag, () => text), html)
}
