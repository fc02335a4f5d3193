import { DEFAULT_THEME, MantineThemeContext, mergeMantineTheme } from '@mantine/core'
import '@mantine/core/styles/default-css-variables.css'
import type { ReactNode } from 'react'
import './mantine-variables.css'
import { theme } from './mantine-theme.ts'

const whole = mergeMantineTheme(DEFAULT_THEME, theme)

/** The theme and its variables, around each part of Mantine: it comes with the first of them, since no first view shows one. See docs/decisions/0091. */
export const Ground = ({ children }: { children: ReactNode }) => (
  <MantineThemeContext value={whole}>{children}</MantineThemeContext>
)
