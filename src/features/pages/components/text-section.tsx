import type { ReactNode } from 'react'
import classes from './text-section.module.css'

/** A part of a long text, under its heading. */
export function TextSection({ id, title, children }: { id?: string; title: string; children: ReactNode }) {
  return (
    <section id={id} className={classes.section}>
      <h2>{title}</h2>
      {children}
    </section>
  )
}
