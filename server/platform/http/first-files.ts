import { headersForInlineCode } from './security-headers.ts'

/** Server-rendered HTML for the first paint, before any script runs. */
export type FirstView = {
  /** path prefix under which the build lists the screen's files */
  screen: string
  markup: string
  /** `<link>` elements that preload the pictures in `markup` */
  links: string
}

/** The app's HTML page for one path, with its own headers. */
type Page = { body: string; headers: Record<string, string> }

/** Path prefix under which the build lists a screen's files. */
const screenOf = (path: string) => (path === '/' ? '/home' : path.replace(/\/\d*$/, ''))
/** The app's default language. */
const LANGUAGE = 'de'
const FILES = /id="first-files">(.*?)<\/script>/s
const STYLE = /<link\s+rel="stylesheet"[^>]*>/g
/** public/boot.js, which the build has inlined. */
const BOOT = /<script>(.*?)<\/script>/s
/**
 * The viewport must come first. Until it is known, phones assume a width of 980 px and would load larger pictures than
 * they display.
 */
const VIEWPORT = /<meta name="viewport"[^>]*>/
/** Placeholder in the page for the preload links of a view's pictures. */
const PICTURES = '<!-- pictures -->'
/**
 * Matches the links that preload scripts and data. Pages with server-rendered HTML do not need these for the first
 * paint, so the links get a low priority there.
 */
const LATER = /<link rel="(?:modulepreload|preload)"[^>]*>/g
const START = /<div id="root">.*?<\/div>/s

const linkTo = (file: string) =>
  file.startsWith('api/')
    ? `<link rel="preload" as="fetch" crossorigin="anonymous" href="/${file}">`
    : file.endsWith('.css')
      ? `<link rel="stylesheet" crossorigin href="/${file}">`
      : `<link rel="modulepreload" crossorigin href="/${file}">`

/**
 * Adds the server-rendered HTML (first view) of a path to the page, and preload links for its screen's resources, which
 * avoids a chain of requests. Only boot.js and the styles come first, because anything else would delay the first
 * paint. The script precedes the styles, because otherwise it would wait for them and block the text. Pages with a
 * first view inline the styles, too, and are rendered as soon as they arrive. See docs/decisions/0064.
 * @param contents files of the app by path
 */
export async function addPreloadLinks(html: string, contents: ReadonlyMap<string, Uint8Array>) {
  const listed: Record<string, string[]> = JSON.parse(FILES.exec(html)?.[1] ?? '{}')
  const styles = html.match(STYLE) ?? []
  const rest = html.replace(STYLE, '').replace(BOOT, '')
  const textOf = (address: string) => Buffer.from(contents.get(address) ?? '').toString()
  const addressOf = (link: string) => /href="([^"]+)"/.exec(link)?.[1] ?? ''
  const [boot = '', ...scripts] = BOOT.exec(html) ?? []
  const headers = await headersForInlineCode(scripts, [])

  const makePage = async (files: readonly string[]) => {
    const links = [...new Set([...files, ...(listed[LANGUAGE] ?? [])])].map(linkTo)
    const [own, others] = [links.filter(link => link.match(STYLE)), links.filter(link => !link.match(STYLE))]
    const sheets = [...styles, ...own].map(link => ({ link, text: textOf(addressOf(link)) }))
    // boot.js loads only the files that are not linked here.
    const left = JSON.stringify({ en: listed.en, later: listed.later })
    const around = rest
      .replace(FILES, whole => whole.replace(/{.*}/s, () => left))
      .replace('</head>', end => `${others.join('\n    ')}\n  ${end}`)
    const withHead = (head: string[]) => around.replace(VIEWPORT, meta => [meta, ...head].join('\n    '))
    // The app uses these links to detect that its styles are present. Because the styles are inlined, `disabled`
    // prevents their download.
    const inside = sheets.map(({ link, text }) => `<style>${text}</style>${link.replace(/\s*\/?>$/, ' disabled>')}`)
    return {
      plain: withHead([boot, ...sheets.map(({ link }) => link)]),
      showing: withHead([boot, ...inside, PICTURES]).replace(LATER, link =>
        link.replace('<link', '<link fetchpriority="low"'),
      ),
      headers: await headersForInlineCode(
        scripts,
        sheets.map(({ text }) => text),
      ),
    }
  }
  const pages = new Map(
    await Promise.all(Object.entries(listed).map(async ([screen, files]) => [screen, await makePage(files)] as const)),
  )
  const other = await makePage([])
  return (path: string, view: FirstView | null): Page => {
    const known = pages.get(screenOf(path))
    const page = known ?? (view ? other : null)
    if (!page || !view) return { body: known?.plain ?? html, headers }
    const { screen, markup, links } = view
    const body = page.showing
      .replace(PICTURES, () => links)
      .replace(START, () => `<div id="root" data-first-view="${screen}">${markup}</div>`)
    return { body, headers: page.headers }
  }
}
