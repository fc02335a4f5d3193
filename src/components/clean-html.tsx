import { useEffect, useState } from 'react'

const ALLOWED = {
  ALLOWED_TAGS: ['p', 'br', 'b', 'strong', 'i', 'em', 'u', 'ul', 'ol', 'li', 'a', 'h2', 'h3', 'h4', 'blockquote'],
  ALLOWED_ATTR: ['href'],
}

async function clean(html: string): Promise<string> {
  const { default: purify } = await import('dompurify')
  const fragment = purify.sanitize(html, { ...ALLOWED, RETURN_DOM_FRAGMENT: true })
  const box = document.createElement('div')
  box.append(fragment)
  for (const link of box.querySelectorAll('a')) {
    link.target = '_blank'
    link.rel = 'noreferrer'
  }
  return box.innerHTML
}

/** HTML of the programme, cleaned once more before it is shown; until the cleaner has come, its words alone. */
export function CleanHtml({ html, className }: { html: string; className?: string | undefined }) {
  const [cleaned, setCleaned] = useState<{ html: string; result: string } | null>(null)
  const isPlain = !/[<&]/.test(html)
  useEffect(() => {
    if (isPlain) return
    let isWanted = true
    clean(html).then(
      result => isWanted && setCleaned({ html, result }),
      () => undefined,
    )
    return () => {
      isWanted = false
    }
  }, [html, isPlain])
  if (isPlain) return <div className={className}>{html}</div>
  if (cleaned?.html !== html) return <div className={className}>{html.replace(/<[^>]*>/g, ' ')}</div>
  // biome-ignore lint/security/noDangerouslySetInnerHtml: cleaned above
  return <div className={className} dangerouslySetInnerHTML={{ __html: cleaned.result }} />
}
