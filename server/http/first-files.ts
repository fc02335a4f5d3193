import { headersOfPageWith } from './security-headers.ts'

/** What a page shows before any script has run. */
export type FirstView = {
  /** the beginning of the address, by which the build names the files of the screen */
  screen: string
  markup: string
  /** what the markup needs beside the screen's files, as link elements */
  links: string
}

/** The app's page as an address gets it, with headers of its own. */
type Page = { body: string; headers: Record<string, string> }

/** The screens whose files the build lists, by the beginning of their address. */
const screenOf = (path: string) => (path === '/' ? '/home' : path.replace(/\/\d*$/, ''))
/** German is what the app speaks until it is told otherwise. */
const LANGUAGE = 'de'
const FILES = /id="first-files">(.*?)<\/script>/s
const STYLE = /<link\s+rel="stylesheet"[^>]*>/g
const BOOT = '<script src="/boot.js"></script>'
/** Before it is read, a phone takes the page to be 980 px wide, and would fetch larger pictures than it shows. */
const VIEWPORT = /<meta name="viewport"[^>]*>/
/** Where a view's pictures are named. */
const PICTURES = '<!-- pictures -->'
/** What the page does not need to be seen: it comes after what it does. As modules, scripts are read beside the page. */
const LATER = /<link rel="(?:modulepreload|preload)"[^>]*>/g
const START = /<div id="root">.*?<\/div>/s

const linkTo = (file: string) =>
  file.startsWith('api/')
    ? `<link rel="preload" as="fetch" crossorigin="anonymous" href="/${file}">`
    : file.endsWith('.css')
      ? `<link rel="stylesheet" crossorigin href="/${file}">`
      : `<link rel="modulepreload" crossorigin href="/${file}">`

/**
 * Puts into the page of an address what its screen needs, so that no file waits for a script to name it, and what it shows
 * first. boot.js and the styles stand in front: whatever comes with them holds back the first paint. The script is the first of
 * them, or it would wait for the styles, and the words of the page for it. A page that shows something holds both itself: it is
 * seen as soon as it is there.
 * See docs/decisions/0064.
 * @param contents the files of the app by their address
 */
export async function nameFiles(html: string, contents: ReadonlyMap<string, Uint8Array>) {
  const listed: Record<string, string[]> = JSON.parse(FILES.exec(html)?.[1] ?? '{}')
  const styles = html.match(STYLE) ?? []
  const rest = html.replace(STYLE, '').replace(BOOT, '')
  const textOf = (address: string) => Buffer.from(contents.get(address) ?? '').toString()
  const addressOf = (link: string) => /href="([^"]+)"/.exec(link)?.[1] ?? ''
  const boot = textOf('/boot.js')

  const makePage = async (files: readonly string[]) => {
    const links = [...new Set([...files, ...(listed[LANGUAGE] ?? [])])].map(linkTo)
    const [own, scripts] = [links.filter(link => link.match(STYLE)), links.filter(link => !link.match(STYLE))]
    const sheets = [...styles, ...own].map(link => ({ link, text: textOf(addressOf(link)) }))
    // What is named here is not for boot.js to name.
    const left = JSON.stringify({ en: listed.en })
    const around = rest
      .replace(FILES, whole => whole.replace(/{.*}/s, () => left))
      .replace('</head>', end => `${scripts.join('\n    ')}\n  ${end}`)
    const withHead = (head: string[]) => around.replace(VIEWPORT, meta => [meta, ...head].join('\n    '))
    // The app asks whether its styles are there by their links: these name them, and fetch nothing.
    const inside = sheets.map(({ link, text }) => `<style>${text}</style>${link.replace('>', ' disabled>')}`)
    return {
      plain: withHead([BOOT, ...sheets.map(({ link }) => link)]),
      showing: withHead([`<script>${boot}</script>`, ...inside, PICTURES]).replace(LATER, link =>
        link.replace('<link', '<link fetchpriority="low"'),
      ),
      headers: await headersOfPageWith(
        [boot],
        sheets.map(({ text }) => text),
      ),
    }
  }
  const pages = new Map(
    await Promise.all(Object.entries(listed).map(async ([screen, files]) => [screen, await makePage(files)] as const)),
  )
  return (path: string, view: FirstView | null): Page => {
    const page = pages.get(screenOf(path))
    if (!page || !view) return { body: page?.plain ?? html, headers: {} }
    const { screen, markup, links } = view
    const body = page.showing
      .replace(PICTURES, () => links)
      .replace(START, () => `<div id="root" data-first-view="${screen}">${markup}</div>`)
    return { body, headers: page.headers }
  }
}
