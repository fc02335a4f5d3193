import { UNLISTED_PAGES } from '#contract/endpoints/public-pages.ts'
import { escapeHtml } from '#contract/words.ts'

/** Page metadata for search engines and link previews, which often run no scripts. */
export type PageHead = {
  title: string
  description: string
  /** path of a 1200 × 630 px picture; default: the app's icon */
  picture?: string
}

/**
 * Renders index.html with a page's metadata. See docs/decisions/0064.
 * @param url absolute URL of the page
 */
export function renderPageHead(html: string, { title, description, picture }: PageHead, url: string): string {
  const said = { title: escapeHtml(title), description: escapeHtml(description), url: escapeHtml(url) }
  const properties = {
    type: 'website',
    locale: 'de_DE',
    title: said.title,
    description: said.description,
    url: said.url,
    image: escapeHtml(new URL(picture ?? '/icons/icon-512.png', url).href),
  }
  const tags = [
    `<title>${said.title}</title>`,
    `<link rel="canonical" href="${said.url}" />`,
    ...Object.entries(properties).map(([name, content]) => `<meta property="og:${name}" content="${content}" />`),
    ...(picture ? ['<meta name="twitter:card" content="summary_large_image" />'] : []),
  ]
  const robots = UNLISTED_PAGES.includes(new URL(url).pathname) ? 'noindex' : 'all'
  return html
    .replace(/(<meta name="robots" content=")[^"]*/, (_, start: string) => start + robots)
    .replace(/(<meta name="description" content=")[^"]*/, (_, start: string) => start + said.description)
    .replace(/<title>[^<]*<\/title>/, () => tags.join('\n    '))
}
