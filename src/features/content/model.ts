import type { ContentItemType, WebContentItem } from '#contract/endpoints/content.ts'
import type { Season } from '#contract/endpoints/courses.ts'
import type { Language } from '#contract/values.ts'
import { plainText, textInLanguage } from '#contract/words.ts'
import { instantOfLocalTimeMs, toLocalTimeMs } from '#lib/format.ts'

export type ContentLink =
  | { kind: 'route'; route: string }
  | { kind: 'category'; categoryId: number }
  | { kind: 'mail'; address: string }
  | { kind: 'site'; address: string }

/**
 * Parses a content link: a course id, `category:` and an id, `mailto:`, http(s), or else a route.
 * @returns null if the link is empty or unsafe
 */
export function parseContentLink(link: string): ContentLink | null {
  // Browsers ignore control characters inside URLs, so these could hide a scheme.
  const address = link.replace(/\p{Cc}/gu, '').trim()
  if (/^[1-9]\d{0,9}$/.test(address)) return { kind: 'route', route: `/course-details/${address}` }
  const category = /^category:\s*([1-9]\d{0,9})$/i.exec(address)
  if (category) return { kind: 'category', categoryId: Number(category[1]) }
  if (/^mailto:[^\s]+$/i.test(address)) return { kind: 'mail', address }
  if (/^https?:\/\/[^\s/\\]/i.test(address)) return { kind: 'site', address }
  // Browsers treat a backslash as a slash, so two of either start a host name.
  if (address === '' || /^(\/\/|\/?([\w.+-]*:|\\))/.test(address)) return null
  return { kind: 'route', route: address.startsWith('/') ? address : `/${address}` }
}

/** Texts of a content item in a language, with German as the fallback. */
export const textsOfItem = (item: WebContentItem, language: Language) => ({
  title: plainText(textInLanguage(language, item.text1, item.text3)),
  text: textInLanguage(language, item.text2, item.text4),
  linkText: textInLanguage(language, item.linkText, item.linkText2),
})

export const itemsOfType = (items: readonly WebContentItem[], type: ContentItemType): WebContentItem[] =>
  items.filter(({ contentType }) => contentType === type)

/** The next season that opens for booking; null if there is none. @param now ms since 1970 */
export function nextBookingOpening(seasons: readonly Season[], now: number): Season | null {
  const opensAt = ({ bookableFrom }: Season) => instantOfLocalTimeMs(toLocalTimeMs(bookableFrom))
  const coming = seasons.filter(season => opensAt(season) > now)
  return coming.toSorted((a, b) => opensAt(a) - opensAt(b))[0] ?? null
}
