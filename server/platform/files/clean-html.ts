import sanitize from 'sanitize-html'
import { HTML_BLOCK_TAGS, HTML_INLINE_TAGS, HTML_TAGS, LINK_SCHEMES } from '#contract/values.ts'

const INVISIBLE = /[\u00ad\u200b-\u200d\u2060\ufeff]/g
const CONTROL = /[\p{Cc}--[\t\n\r]]/gv

/**
 * Normalizes text: NFC, LF line endings, no control or invisible characters, trimmed, and no consecutive empty lines.
 */
export function cleanText(text: string): string {
  return (
    text
      .normalize('NFC')
      .replace(/\r\n?|[\u2028\u2029]/g, '\n')
      .replace(CONTROL, '')
      .replace(INVISIBLE, '')
      // The text is split into lines, because a regular expression would take quadratic time for long runs of blanks.
      .split('\n')
      .map(line => line.trimEnd())
      .join('\n')
      .replace(/\n{3,}/g, '\n\n')
      .trim()
  )
}

/** Normalizes text like `cleanText`, to a single line with single spaces. */
export const cleanLine = (text: string): string => cleanText(text).replace(/\s+/g, ' ')

const options: sanitize.IOptions = {
  allowedTags: HTML_TAGS,
  allowedAttributes: { a: ['href'] },
  allowedSchemes: LINK_SCHEMES,
  allowProtocolRelative: false,
  // More deeply nested tags are dropped and only their text is kept, because the run time is quadratic in the depth.
  nestingLimit: 40,
  nonTextTags: ['script', 'style', 'textarea', 'option', 'noscript', 'title', 'xml', 'svg', 'math', 'template'],
  transformTags: { h1: 'h3', h2: 'h3', h5: 'h4', h6: 'h4', div: 'p', section: 'p', article: 'p', blockquote: 'p' },
}

/**
 * Matches a `<` that starts neither a tag nor a comment and is therefore text, as in "x < 5" or "<name@example.com>".
 */
const LONE_LESS_THAN = /<(?!\/?[a-z][a-z0-9]*(?::[a-z0-9]+)?(?:[\s/>])|!--|!\[|!doctype|\?xml)/gi

const TAG = /<(\/?)([a-z][a-z0-9]*)[^<>]*>/gi
const VOID_TAGS = new Set(['br', 'hr', 'img', 'col', 'input', 'wbr', 'meta', 'link'])
const MAX_OPEN_TAGS = 1_000

/**
 * Removes tags that are nested in too many unclosed ones but keeps their text, because the parser would take quadratic
 * time.
 */
function limitOpenTags(text: string): string {
  const open: string[] = []
  const counts = new Map<string, number>()
  const count = (name: string, by: number) => counts.set(name, (counts.get(name) ?? 0) + by)
  return text.replace(TAG, (tag, slash: string, written: string) => {
    const name = written.toLowerCase()
    if (VOID_TAGS.has(name)) return tag
    if (slash === '') {
      open.push(name)
      count(name, 1)
      return open.length > MAX_OPEN_TAGS ? '' : tag
    }
    const isKept = open.length <= MAX_OPEN_TAGS
    // A closing tag also closes elements that were opened within its element. Without an opening tag, it is ignored.
    if (counts.get(name)) for (let last = ''; last !== name; count(last, -1)) last = open.pop() ?? name
    return isKept ? tag : ''
  })
}

const toSafeHtml = (text: string) => sanitize(limitOpenTags(text.replace(LONE_LESS_THAN, '&lt;')), options)

const blocks = HTML_BLOCK_TAGS.join('|')
const MANY_BREAKS = /(?:<br \/>\s*){3,}/g
const EMPTY_ELEMENT = new RegExp(
  `<(${[...HTML_BLOCK_TAGS, ...HTML_INLINE_TAGS].join('|')})(?: [^>]*)?>(?:\\s|<br />)*</\\1>`,
  'g',
)
const BLANKS_AROUND_BLOCK = new RegExp(`(?:\\s|<br />)*(</?(?:${blocks})>)(?:\\s|<br />)*`, 'g')

function untilStable(text: string, step: (text: string) => string): string {
  const next = step(text)
  return next === text ? text : untilStable(next, step)
}

/**
 * Sanitizes HTML from office programs, or plain text, to a small set of tags whose only attributes are link targets.
 * Idempotent. See docs/decisions/0010.
 */
export function cleanHtml(text: string): string {
  return untilStable(text, step => cleanOnce(cleanText(step)))
}

function cleanOnce(text: string): string {
  const html = untilStable(
    toSafeHtml(text)
      .replace(/[^\S\n]+/g, ' ')
      .replace(/ ?\n[ \n]+/g, run => (run.split('\n').length > 2 ? '\n\n' : run)),
    unwrapLeftovers,
  )
  const hasBreaks = new RegExp(`<(?:br|${blocks})\\b`).test(html)
  if (hasBreaks) return html
  if (html.includes('\n')) return toParagraphs(html)
  return html.includes('<') ? html : toPlainText(html)
}

const unwrapLeftovers = (html: string) =>
  html
    .replace(/<a>(.*?)<\/a>/gs, '$1')
    .replace(EMPTY_ELEMENT, match => (/\s/.test(match) ? ' ' : ''))
    .replace(MANY_BREAKS, '<br /><br />')
    .replace(BLANKS_AROUND_BLOCK, '$1')
    .replace(/^(?:\s|<br \/>)+|(?:\s|<br \/>)+$/g, '')

const toParagraphs = (html: string) =>
  html
    .split(/\n\s*\n/)
    .map(paragraph => `<p>${paragraph.trim().replace(/\s*\n\s*/g, '<br />')}</p>`)
    .join('')

/**
 * Replaces entities with characters where this does not change how the HTML is parsed, so that entities do not appear
 * in plain text.
 */
function toPlainText(html: string): string {
  const plain = html.replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&')
  return !html.includes('&lt;') && toSafeHtml(plain) === html ? plain : html
}

/** Converts HTML to text without markup, one line per paragraph. */
export function htmlToText(text: string): string {
  const lines = cleanHtml(text)
    .replace(/<br \/>|<\/(?:p|li|h3|h4|tr)>/g, '\n')
    .replace(/<\/t[dh]>/g, ' ')
    .replace(/<[^>]*>/g, '')
  return cleanText(
    lines.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&'),
  )
}
