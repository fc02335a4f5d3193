import { Link } from 'wouter'
import { type ProseBlock, type ProseInline, parseProse } from '#features/pages/prose-model.ts'
import { Box } from '#ui/layout.tsx'
import classes from './prose.module.css'

const Words = ({ content }: { content: ProseInline[] }) =>
  content.map(({ text, href }) => {
    if (!href) return text
    return href.startsWith('/') ? (
      <Link key={href} href={href}>
        {text}
      </Link>
    ) : (
      <a key={href} href={href}>
        {text}
      </a>
    )
  })

const keyOf = (content: ProseInline[]) => content.map(({ text }) => text).join()

function Part({ block }: { block: ProseBlock }) {
  if (block.kind === 'paragraph') {
    return (
      <p>
        <Words content={block.content} />
      </p>
    )
  }
  return (
    <Box as="ul" bullets>
      {block.items.map(item => (
        <li key={keyOf(item)}>
          <Words content={item} />
        </li>
      ))}
    </Box>
  )
}

/** Renders the paragraphs, lists and links of a text from a language file. */
export function Prose({ lines }: { lines: readonly string[] }) {
  return (
    <Box width="reading" size="l" className={classes.prose}>
      {parseProse(lines).map(block => (
        <Part key={keyOf(block.kind === 'list' ? (block.items[0] ?? []) : block.content)} block={block} />
      ))}
    </Box>
  )
}
