import { beforeEach, expect, test } from 'vitest'
import { chooseColorScheme, followColorScheme, useColorScheme } from './color-scheme.ts'

const shown = () => document.documentElement.getAttribute('data-mantine-color-scheme')

/** A device whose scheme the test sets, as in the evening. */
const device = Object.assign(new EventTarget(), { matches: false })
const turn = (isDark: boolean) => {
  device.matches = isDark
  device.dispatchEvent(new Event('change'))
}

beforeEach(() => {
  localStorage.clear()
  window.matchMedia = () => device as unknown as MediaQueryList
  useColorScheme.setState({ scheme: 'auto' })
})

test('the page follows the device until the reader chooses, and again when told to', () => {
  followColorScheme()
  turn(true)
  expect(shown()).toBe('dark')
  chooseColorScheme('light')
  expect(shown()).toBe('light')
  turn(false)
  turn(true)
  expect(shown()).toBe('light')
  expect(localStorage.getItem('ColorScheme')).toBe('light')
  chooseColorScheme('auto')
  expect(shown()).toBe('dark')
})

test('a choice made in another tab shows here too; a damaged one counts as none', () => {
  turn(false)
  followColorScheme()
  const storedElsewhere = (value: string) => {
    localStorage.setItem('ColorScheme', value)
    window.dispatchEvent(new StorageEvent('storage', { key: 'ColorScheme' }))
  }
  storedElsewhere('dark')
  expect(shown()).toBe('dark')
  storedElsewhere('pink')
  expect(shown()).toBe('light')
})
