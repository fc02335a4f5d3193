import { localStorageColorSchemeManager, type MantineColorScheme } from '@mantine/core'
import { create } from 'zustand'

type State = {
  colorScheme: MantineColorScheme
  setColorScheme: (scheme: MantineColorScheme) => void
  clearColorScheme: () => void
}

/** The key that public/boot.js reads before the first paint. */
const kept = localStorageColorSchemeManager({ key: 'ColorScheme' })

const device = () => window.matchMedia('(prefers-color-scheme: dark)')

function show(scheme: MantineColorScheme): void {
  const chosen = scheme === 'auto' ? (device().matches ? 'dark' : 'light') : scheme
  document.documentElement.setAttribute('data-mantine-color-scheme', chosen)
}

/** What the reader has chosen. The page has it before the app (public/boot.js): this follows what changes. */
export const useColorScheme = create<State>((set, get) => ({
  colorScheme: kept.get('auto'),
  setColorScheme: scheme => {
    show(scheme)
    kept.set(scheme)
    set({ colorScheme: scheme })
  },
  clearColorScheme: () => get().setColorScheme('auto'),
}))

/** Follows the device and the portal's other tabs. */
export function followColorScheme(): () => void {
  const { getState, setState } = useColorScheme
  const followDevice = () => show(getState().colorScheme)
  followDevice()
  device().addEventListener('change', followDevice)
  // It is kept already: written once more it would reach that tab, which may show another one by now.
  kept.subscribe(colorScheme => {
    show(colorScheme)
    setState({ colorScheme })
  })
  return () => {
    device().removeEventListener('change', followDevice)
    kept.unsubscribe()
  }
}
