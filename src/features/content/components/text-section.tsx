import type { ReactNode } from 'react'
import classes from './text-section.module.css'

/** A part of a long text, under its heading. */
export function TextSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={classes.section}>
      <h2>{title}</h2>
      {children}
    </section>
  )
}
