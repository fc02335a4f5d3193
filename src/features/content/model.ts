import type { ContentType, WebContentItem } from '#contract/content.ts'
import type { Season } from '#contract/courses.ts'
import type { Language } from '#contract/values.ts'
import { pickText, plainText } from '#contract/words.ts'
import { wallClockMs } from '#lib/format.ts'
import { instantOf } from '#lib/portal-time.ts'

export type ContentLink =
  | { kind: 'route'; route: string }
  | { kind: 'category'; categoryId: number }
  | { kind: 'mail'; address: string }
  | { kind: 'site'; address: string }

/**
 * Where a link leads: a course's number, `category:` and an id, `mailto:`, http, else a route.
 * @returns null for none, or one in disguise
 */
export function readContentLink(link: string): ContentLink | null {
  // Control characters inside an address are dropped by browsers: they could hide a scheme.
  const address = link.replace(/\p{Cc}/gu, '').trim()
  if (/^[1-9]\d{0,9}$/.test(address)) return { kind: 'route', route: `/course-details/${address}` }
  const category = /^category:\s*([1-9]\d{0,9})$/i.exec(address)
  if (category) return { kind: 'category', categoryId: Number(category[1]) }
  if (/^mailto:[^\s]+$/i.test(address)) return { kind: 'mail', address }
  if (/^https?:\/\/[^\s/\\]/i.test(address)) return { kind: 'site', address }
  // Browsers read a backslash as a slash: two of either name another site.
  if (address === '' || /^(\/\/|\/?([\w.+-]*:|\\))/.test(address)) return null
  return { kind: 'route', route: address.startsWith('/') ? address : `/${address}` }
}

/** The item's texts in the reader's language, by the rule of the second-language variants. */
export const textsOfItem = (item: WebContentItem, language: Language) => ({
  title: plainText(pickText(language, item.text1, item.text3)),
  text: pickText(language, item.text2, item.text4),
  linkText: pickText(language, item.linkText, item.linkText2),
})

export const itemsOfType = (items: readonly WebContentItem[], type: ContentType): WebContentItem[] =>
  items.filter(({ contentType }) => contentType === type)

/** The season that opens next for booking; null when none is to come. @param now ms since 1970 */
export function nextOpening(seasons: readonly Season[], now: number): Season | null {
  const opensAt = ({ bookableFrom }: Season) => instantOf(wallClockMs(bookableFrom))
  const coming = seasons.filter(season => opensAt(season) > now)
  return coming.toSorted((a, b) => opensAt(a) - opensAt(b))[0] ?? null
}
