import type { ReactNode } from 'react'
import { piece } from '#components/pieces.ts'

export function TextSection({ id, title, children }: { id?: string; title: string; children: ReactNode }) {
  return (
    <section id={id} className={piece('below')}>
      <h2>{title}</h2>
      {children}
    </section>
  )
}
