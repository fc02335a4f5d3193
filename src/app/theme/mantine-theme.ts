import { createTheme } from '@mantine/core'

/**
 * Mantine on the tokens of tokens.css: each size is one of theirs, so that a part of the library and a part of our own are the
 * same. Shade 8 carries white text at 4.5:1 or better in both schemes.
 */
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
  fontSizes: {
    xs: 'var(--text-1)',
    sm: 'var(--text-1)',
    md: 'var(--text-2)',
    lg: 'var(--text-3)',
    xl: 'var(--text-4)',
  },
  spacing: {
    xs: 'var(--space-2)',
    sm: 'var(--space-3)',
    md: 'var(--space-5)',
    lg: 'var(--space-6)',
    xl: 'var(--space-7)',
  },
  defaultRadius: 'md',
  radius: {
    xs: 'var(--radius-s)',
    sm: 'var(--radius-s)',
    md: 'var(--radius-m)',
    lg: 'var(--radius-l)',
    xl: 'var(--radius-round)',
  },
  fontFamily: 'var(--font-text)',
  headings: { fontFamily: 'var(--font-head)', fontWeight: '700' },
  cursorType: 'pointer',
})
