import { createTheme, MantineProvider } from '@mantine/core'
import '@mantine/core/styles/default-css-variables.css'
import '@mantine/core/styles/global.css'
import '@mantine/core/styles/UnstyledButton.css'
import '@mantine/core/styles/CloseButton.css'
import type { ReactNode } from 'react'

/** Shade 8 carries white text at 4.5:1 or better in both schemes. */
const theme = createTheme({
  primaryColor: 'hall',
  primaryShade: 8,
  colors: {
    hall: [
      '#e3efee',
      '#c6dedd',
      '#a5cbca',
      '#80b5b5',
      '#5a9c9d',
      '#3a8285',
      '#226b6f',
      '#155d62',
      '#0d4f55',
      '#083a3f',
    ],
  },
  defaultRadius: 'md',
  radius: { md: '14px' },
  fontFamily: 'var(--font-text)',
  headings: { fontFamily: 'var(--font-head)', fontWeight: '700' },
  cursorType: 'pointer',
})

/** lib/color-scheme.ts sets the attribute that Mantine's styles follow. */
const leaveRootAlone = () => undefined

/**
 * Around each component of Mantine. Only the menu of phones, toasts and the calendar are such, and all of them come after the
 * first paint, so that nobody waits for the library.
 */
export function Mantine({ children }: { children: ReactNode }) {
  return (
    <MantineProvider theme={theme} getRootElement={leaveRootAlone}>
      {children}
    </MantineProvider>
  )
}
