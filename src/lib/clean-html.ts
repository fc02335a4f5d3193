import { HTML_TAGS, LINK_SCHEMES } from '#contract/html-tags.ts'

const RULES = {
  ALLOWED_TAGS: HTML_TAGS,
  ALLOWED_ATTR: ['href'],
  ALLOWED_URI_REGEXP: new RegExp(`^(?:${LINK_SCHEMES.join('|')}):`, 'i'),
}

/** HTML of the programme with the tags it may hold and nothing else; its links open a page of their own. */
export async function cleanHtml(html: string): Promise<string> {
  const { default: purify } = await import('dompurify')
  const box = document.createElement('div')
  box.append(purify.sanitize(html, { ...RULES, RETURN_DOM_FRAGMENT: true }))
  for (const link of box.querySelectorAll('a')) {
    link.target = '_blank'
    link.rel = 'noreferrer'
  }
  return box.innerHTML
}
