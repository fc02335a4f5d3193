import type { ReactNode } from 'react'
import { piece } from '#components/pieces.ts'

/** Scroll container for a table larger than the window. */
export const ScrollFrame = ({
  label,
  className,
  children,
}: {
  label: string
  className: string | undefined
  children: ReactNode
}) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
  <section className={`${piece('card')} ${className}`} tabIndex={0} aria-label={label}>
    {children}
  </section>
)
