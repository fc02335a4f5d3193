import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { preselectCategory } from '#features/courses/criteria-store.ts'
import { readContentLink } from '../model.ts'

type Props = { link: string; className?: string | undefined; children: ReactNode }

/** An item's link, wherever it leads; without one that is safe, just its words. */
export function ContentLink({ link, className, children }: Props) {
  const target = readContentLink(link)
  switch (target?.kind) {
    case 'route':
      return (
        <Link href={target.route} className={className}>
          {children}
        </Link>
      )
    case 'category':
      return (
        <Link
          href={`/courses?category=${target.categoryId}`}
          className={className}
          onClick={() => preselectCategory(target.categoryId)}
        >
          {children}
        </Link>
      )
    case 'mail':
      return (
        <a href={target.address} className={className}>
          {children}
        </a>
      )
    case 'site':
      return (
        <a href={target.address} className={className} target="_blank" rel="noopener">
          {children}
        </a>
      )
    default:
      return <span className={className}>{children}</span>
  }
}
