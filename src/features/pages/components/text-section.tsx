import type { ReactNode } from 'react'
import { Box } from '#ui/layout.tsx'

export function TextSection({ id, title, children }: { id?: string; title: string; children: ReactNode }) {
  return (
    <Box as="section" id={id} mb="xl">
      <h2>{title}</h2>
      {children}
    </Box>
  )
}
