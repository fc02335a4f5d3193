import { useEffect, useState } from 'react'
import { cachedCleanHtml, cleanHtml, hasMarkup } from '#lib/clean-html.ts'
import classes from './clean-html.module.css'

/**
 * Sanitizes HTML from the programme once more before rendering. Until the sanitizer is loaded, it is shown as plain
 * text.
 */
export function CleanHtml({ html, className = '' }: { html: string; className?: string | undefined }) {
  const [cleaned, setCleaned] = useState<{ html: string; result: TrustedHTML } | null>(null)
  const isPlain = !hasMarkup(html)
  const known = cleaned?.html === html ? cleaned.result : cachedCleanHtml(html)
  useEffect(() => {
    if (isPlain) return
    let isWanted = true
    cleanHtml(html).then(
      result => isWanted && setCleaned({ html, result }),
      // If sanitizing fails, the plain text remains.
      () => undefined,
    )
    return () => {
      isWanted = false
    }
  }, [html, isPlain])
  if (isPlain) return <div className={className}>{html}</div>
  if (!known) return <div className={className}>{html.replace(/<[^>]*>/g, ' ')}</div>
  // biome-ignore lint/security/noDangerouslySetInnerHtml: cleaned above
  return <div className={`${classes.html} ${className}`} dangerouslySetInnerHTML={{ __html: known }} />
}
