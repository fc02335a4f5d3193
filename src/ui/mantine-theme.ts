import { type CSSVariablesResolver, createTheme, type MantineThemeComponents } from '@mantine/core'

/** Component sizes, which Mantine would otherwise compute at runtime. */
const components: MantineThemeComponents = {
  Input: {
    defaultProps: { size: 'lg' },
    vars: (_theme: unknown, { error }: { error?: unknown }) => ({
      wrapper: {
        '--input-fz': 'var(--text-2)',
        '--input-padding': 'var(--space-4)',
        '--input-bd': error ? 'var(--bad)' : 'var(--muted)',
        '--input-bd-focus': 'var(--ink)',
        '--input-bg': 'var(--card)',
        '--input-color': 'var(--ink)',
      },
    }),
  },
}

/**
 * Mantine theme with the values of tokens.css, so that Mantine's components match our own. Shade 8 has a contrast of
 * 4.5:1 with white text. See docs/decisions/0078.
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
  fontWeights: { medium: '600' },
  cursorType: 'pointer',
  components,
})

const COLORS = {
  '--mantine-color-body': 'var(--paper)',
  '--mantine-color-text': 'var(--ink)',
  '--mantine-color-bright': 'var(--ink)',
  '--mantine-color-dimmed': 'var(--muted)',
  '--mantine-color-placeholder': 'var(--muted)',
  '--mantine-color-error': 'var(--bad)',
  '--mantine-color-success': 'var(--ok)',
  '--mantine-color-anchor': 'var(--link)',
  '--mantine-color-default-border': 'var(--rule)',
}

/** Maps Mantine's color variables to our own, which already depend on the color scheme. */
export const resolveVariables: CSSVariablesResolver = () => ({ variables: {}, light: COLORS, dark: COLORS })
