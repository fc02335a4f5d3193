import { useEffect, useState } from 'react'
import { cleanedBefore, cleanHtml, hasMarkup } from '#lib/clean-html.ts'
import classes from './clean-html.module.css'

/** HTML of the programme, cleaned once more before it is shown; until the cleaner has come, its words alone. */
export function CleanHtml({ html, className = '' }: { html: string; className?: string | undefined }) {
  const [cleaned, setCleaned] = useState<{ html: string; result: TrustedHTML } | null>(null)
  const isPlain = !hasMarkup(html)
  const known = cleaned?.html === html ? cleaned.result : cleanedBefore(html)
  useEffect(() => {
    if (isPlain) return
    let isWanted = true
    cleanHtml(html).then(
      result => isWanted && setCleaned({ html, result }),
      // What cannot be cleaned stays as plain words.
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
