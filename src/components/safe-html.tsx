import type DOMPurify from 'dompurify'
import { useEffect, useState } from 'react'
import classes from './safe-html.module.css'

/** The tags that the import leaves in texts; what an older programme may still hold goes here. */
const TAGS = [
  'p',
  'ul',
  'ol',
  'li',
  'h3',
  'h4',
  'table',
  'tbody',
  'tr',
  'th',
  'td',
  'strong',
  'b',
  'em',
  'i',
  'u',
  'a',
  'br',
]
const SAFE_ADDRESS = /^(?:https?:|mailto:|\/(?![/\\])|#)/i
const HAS_MARKUP = /[<&]/

let purifier: typeof DOMPurify | null = null

async function loadPurifier(): Promise<typeof DOMPurify> {
  if (purifier) return purifier
  const { default: purify } = await import('dompurify')
  purify.addHook('afterSanitizeAttributes', node => {
    if (!/^https?:/i.test(node.getAttribute('href') ?? '')) return
    node.setAttribute('target', '_blank')
    node.setAttribute('rel', 'noopener')
  })
  purifier = purify
  return purify
}

const clean = (html: string, purify: typeof DOMPurify) =>
  purify.sanitize(html, { ALLOWED_TAGS: TAGS, ALLOWED_ATTR: ['href'], ALLOWED_URI_REGEXP: SAFE_ADDRESS })

/** A text of the programme that may hold HTML. Never runs a script; plain text keeps its line breaks. */
export function SafeHtml({ html, className = '' }: { html: string; className?: string | undefined }) {
  const [purify, setPurify] = useState(() => purifier)
  const hasMarkup = HAS_MARKUP.test(html)
  useEffect(() => {
    let isGone = false
    if (hasMarkup && !purify) loadPurifier().then(loaded => !isGone && setPurify(() => loaded))
    return () => {
      isGone = true
    }
  }, [hasMarkup, purify])
  if (!hasMarkup) return <div className={`${classes.plain} ${className}`}>{html}</div>
  return (
    <div
      className={`${classes.html} ${className}`}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: cleaned right here
      dangerouslySetInnerHTML={{ __html: purify ? clean(html, purify) : '' }}
    />
  )
}
