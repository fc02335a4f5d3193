import type { DOMPurify } from 'dompurify'
import { HTML_TAGS, LINK_SCHEMES } from '#contract/values.ts'
import { retryUntilLoaded } from './lazy-load.ts'

const RULES = {
  ALLOWED_TAGS: HTML_TAGS,
  ALLOWED_ATTR: ['href'],
  ALLOWED_URI_REGEXP: new RegExp(`^(?:${LINK_SCHEMES.join('|')}):`, 'i'),
}

let purify: Promise<DOMPurify> | null = null

const cleaned = new Map<string, TrustedHTML>()

/** Text without markup does not need sanitizing. */
export const hasMarkup = (text: string): boolean => /[<&]/.test(text)

/** Returns the sanitized HTML if this text has already been sanitized since the app was opened; otherwise null. */
export const cachedCleanHtml = (html: string): TrustedHTML | null => cleaned.get(html) ?? null

/**
 * Sanitizes HTML from the course programme: removes all tags that are not allowed, and makes links open in a new tab.
 */
export async function cleanHtml(html: string): Promise<TrustedHTML> {
  purify ??= retryUntilLoaded(() => import('dompurify')).then(({ default: cleaner }) => {
    cleaner.addHook('afterSanitizeAttributes', element => {
      if (!(element instanceof HTMLAnchorElement)) return
      element.target = '_blank'
      element.rel = 'noreferrer'
    })
    return cleaner
  })
  const result = (await purify).sanitize(html, { ...RULES, RETURN_TRUSTED_TYPE: true })
  cleaned.set(html, result)
  return result
}
