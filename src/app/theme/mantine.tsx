import { MantineContext, useProviderColorScheme } from '@mantine/core'
import '@mantine/core/styles/global.layer.css'
import '@mantine/core/styles/UnstyledButton.layer.css'
import '@mantine/core/styles/CloseButton.layer.css'
import type { ReactNode } from 'react'
import { colorSchemeManager } from './color-scheme.ts'

const getRootElement = () => document.documentElement
const FIXED = {
  getRootElement,
  classNamesPrefix: 'mantine',
  cssVariablesSelector: ':root',
  withStaticClasses: true,
}

/**
 * What everything of Mantine in the app stands on: the colour scheme. The theme comes with the parts that ask for it
 * (components/ground.tsx), and so do its variables, in a file: the page's policy lets no script add a <style> element.
 */
export function Mantine({ children }: { children: ReactNode }) {
  const colorScheme = useProviderColorScheme({
    getRootElement,
    defaultColorScheme: 'auto',
    forceColorScheme: undefined,
    manager: colorSchemeManager,
  })
  return <MantineContext value={{ ...FIXED, ...colorScheme }}>{children}</MantineContext>
}
