/** Inline node: text, which is a link if `href` is set. */
export type ProseInline = { text: string; href?: string }
export type ProseBlock = { kind: 'paragraph'; content: ProseInline[] } | { kind: 'list'; items: ProseInline[][] }

const LINK = /\[([^\]]+)\]\(([^)\s]+)\)/g

/** Parses the inline syntax `text [text](url) text`. */
export function parseInline(line: string): ProseInline[] {
  const parts: ProseInline[] = []
  let done = 0
  for (const match of line.matchAll(LINK)) {
    const [whole, text = '', href = ''] = match
    if (match.index > done) parts.push({ text: line.slice(done, match.index) })
    parts.push({ text, href })
    done = match.index + whole.length
  }
  return done < line.length ? [...parts, { text: line.slice(done) }] : parts
}

/**
 * Parses lines from a language file into paragraphs. Consecutive lines that begin with `- ` are the items of a list.
 */
export function parseProse(lines: readonly string[]): ProseBlock[] {
  const blocks: ProseBlock[] = []
  for (const line of lines) {
    const last = blocks.at(-1)
    if (!line.startsWith('- ')) blocks.push({ kind: 'paragraph', content: parseInline(line) })
    else if (last?.kind === 'list') last.items.push(parseInline(line.slice(2)))
    else blocks.push({ kind: 'list', items: [parseInline(line.slice(2))] })
  }
  return blocks
}
