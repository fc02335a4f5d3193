import { expect, test } from 'vitest'
import { followColorScheme, useColorScheme } from './color-scheme.ts'

test('a color scheme set in another tab is applied, without overwriting a later choice of that tab', () => {
  const stop = followColorScheme()
  localStorage.setItem('ColorScheme', 'light')
  const told = { key: 'ColorScheme', newValue: 'dark', storageArea: localStorage }
  window.dispatchEvent(new StorageEvent('storage', told))
  expect(useColorScheme.getState().colorScheme).toBe('dark')
  expect(document.documentElement.getAttribute('data-mantine-color-scheme')).toBe('dark')
  expect(localStorage.getItem('ColorScheme')).toBe('light')
  stop()
})
