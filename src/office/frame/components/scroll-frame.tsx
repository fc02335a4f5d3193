import type { ReactNode } from 'react'
import { Surface } from '#ui/layout.tsx'

/** Scroll container for tables that are larger than the viewport. */
export const ScrollFrame = ({
  label,
  className,
  children,
}: {
  label: string
  className: string | undefined
  children: ReactNode
}) => (
  <Surface as="section" className={className} tabIndex={0} aria-label={label}>
    {children}
  </Surface>
)
