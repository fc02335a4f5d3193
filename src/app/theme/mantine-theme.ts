import { createTheme } from '@mantine/core'

/** Shade 8 carries white text at 4.5:1 or better in both schemes. */
export const theme = createTheme({
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
