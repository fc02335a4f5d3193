import { create } from 'zustand'

export const COLOR_SCHEMES = ['auto', 'light', 'dark'] as const
export type ColorScheme = (typeof COLOR_SCHEMES)[number]

/** public/boot.js reads it before the first paint. */
const KEY = 'ColorScheme'

const isKnown = (value: string | null): value is ColorScheme => COLOR_SCHEMES.some(scheme => scheme === value)

function recall(): ColorScheme {
  try {
    const stored = localStorage.getItem(KEY)
    return isKnown(stored) ? stored : 'auto'
  } catch {
    return 'auto'
  }
}

/** What the reader chose; `auto` follows the device. */
export const useColorScheme = create<{ scheme: ColorScheme }>(() => ({ scheme: recall() }))

export function chooseColorScheme(scheme: ColorScheme): void {
  try {
    localStorage.setItem(KEY, scheme)
  } catch {
    // Blocked storage: the choice lasts as long as the page.
  }
  useColorScheme.setState({ scheme })
}

/** Shows the choice, here and in the other tabs, and follows the device where it is to be followed. */
export function followColorScheme(): void {
  const device = window.matchMedia('(prefers-color-scheme: dark)')
  const apply = () => {
    const { scheme } = useColorScheme.getState()
    const shown = scheme === 'auto' ? (device.matches ? 'dark' : 'light') : scheme
    document.documentElement.setAttribute('data-mantine-color-scheme', shown)
  }
  useColorScheme.subscribe(apply)
  device.addEventListener('change', apply)
  window.addEventListener('storage', ({ key }) => key === KEY && useColorScheme.setState({ scheme: recall() }))
}
