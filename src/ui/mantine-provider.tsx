import { DEFAULT_THEME, MantineContext, MantineThemeContext, mergeMantineTheme } from '@mantine/core'
import '@mantine/core/styles/default-css-variables.css'
import { type ReactNode, use } from 'react'
import './mantine-variables.css'
import { useColorScheme } from './color-scheme.ts'
import { theme } from './mantine-theme.ts'

const whole = mergeMantineTheme(DEFAULT_THEME, theme)
const FIXED = {
  getRootElement: () => document.documentElement,
  classNamesPrefix: 'mantine',
  cssVariablesSelector: ':root',
  withStaticClasses: true,
}

/**
 * Context for Mantine components: color scheme, theme and CSS variables. It is loaded together with the first Mantine
 * component, because the server-rendered HTML contains none. The variables are in a static file because the CSP
 * prevents scripts from adding a <style> element. See docs/decisions/0064.
 */
export function MantineRoot({ children }: { children: ReactNode }) {
  const outer = use(MantineContext)
  const scheme = useColorScheme()
  return (
    <MantineContext value={outer ?? { ...FIXED, ...scheme }}>
      <MantineThemeContext value={whole}>{children}</MantineThemeContext>
    </MantineContext>
  )
}
