import type { MouseEvent, ReactNode } from 'react'
import { Link } from 'wouter'
import { type RecordKind, usePanel, WIDE_VIEWPORT } from '../use-panel.ts'

type Props = { kind: RecordKind; id: number; children: ReactNode }

/** Link to a course or person in a list: opens it in the side panel, or as a page on narrow viewports. */
export function RecordLink({ kind, id, children }: Props) {
  const { path, show } = usePanel()
  const href = `/office/${kind}/${id}`
  const openBeside = (event: MouseEvent) => {
    if (!window.matchMedia(WIDE_VIEWPORT).matches) return
    event.preventDefault()
    show(kind, id)
  }
  return (
    <Link href={href} onClick={openBeside} data-record aria-current={path === href}>
      {children}
    </Link>
  )
}
