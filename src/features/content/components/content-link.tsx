import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { preselectCategory } from '#features/courses/search/search-criteria-store.ts'
import { parseContentLink } from '../model.ts'

type Props = { link: string; className?: string | undefined; children: ReactNode }

/** Link of a content item. Renders plain text if the link is missing or unsafe. */
export function ContentLink({ link, ...words }: Props) {
  const target = parseContentLink(link)
  switch (target?.kind) {
    case 'route':
      return <Link href={target.route} {...words} />
    case 'category': {
      const { categoryId } = target
      return <Link href={`/courses?category=${categoryId}`} onClick={() => preselectCategory(categoryId)} {...words} />
    }
    case 'mail':
      return <a href={target.address} {...words} />
    case 'site':
      return <a href={target.address} target="_blank" rel="noopener" {...words} />
    default:
      return <span {...words} />
  }
}
