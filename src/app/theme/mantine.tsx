import { MantineContext, MantineThemeProvider, useProviderColorScheme } from '@mantine/core'
import '@mantine/core/styles/default-css-variables.css'
import '@mantine/core/styles/global.layer.css'
import '@mantine/core/styles/UnstyledButton.layer.css'
import '@mantine/core/styles/CloseButton.layer.css'
import type { ReactNode } from 'react'
import { colorSchemeManager } from './color-scheme.ts'
import { theme } from './mantine-theme.ts'
import './mantine-variables.css'

const getRootElement = () => document.documentElement
const FIXED = {
  getRootElement,
  classNamesPrefix: 'mantine',
  cssVariablesSelector: ':root',
  withStaticClasses: true,
}

/**
 * The ground that everything of Mantine in the app stands on: theme and colour scheme. The theme's variables are in a file:
 * the page's policy lets no script add a <style> element. So it is `MantineProvider` without what makes them.
 */
export function Mantine({ children }: { children: ReactNode }) {
  const colorScheme = useProviderColorScheme({
    getRootElement,
    defaultColorScheme: 'auto',
    forceColorScheme: undefined,
    manager: colorSchemeManager,
  })
  return (
    <MantineContext value={{ ...FIXED, ...colorScheme }}>
      <MantineThemeProvider theme={theme}>{children}</MantineThemeProvider>
    </MantineContext>
  )
}
