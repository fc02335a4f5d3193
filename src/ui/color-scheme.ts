import { localStorageColorSchemeManager, type MantineColorScheme } from '@mantine/core'
import { create } from 'zustand'

type State = {
  colorScheme: MantineColorScheme
  setColorScheme: (scheme: MantineColorScheme) => void
  clearColorScheme: () => void
}

/** Storage key that public/boot.js reads before the first paint. */
const kept = localStorageColorSchemeManager({ key: 'ColorScheme' })

const device = () => window.matchMedia('(prefers-color-scheme: dark)')

function show(scheme: MantineColorScheme): void {
  const chosen = scheme === 'auto' ? (device().matches ? 'dark' : 'light') : scheme
  document.documentElement.setAttribute('data-mantine-color-scheme', chosen)
}

/** The selected color scheme. public/boot.js applies it before the app loads; this store applies later changes. */
export const useColorScheme = create<State>((set, get) => ({
  colorScheme: kept.get('auto'),
  setColorScheme: scheme => {
    show(scheme)
    kept.set(scheme)
    set({ colorScheme: scheme })
  },
  clearColorScheme: () => get().setColorScheme('auto'),
}))

/** Applies changes to the system setting and changes made in other tabs. */
export function followColorScheme(): () => void {
  const { getState, setState } = useColorScheme
  const followDevice = () => show(getState().colorScheme)
  followDevice()
  device().addEventListener('change', followDevice)
  // The value is already stored. Writing it again would notify the other tab, which may have changed it since.
  kept.subscribe(colorScheme => {
    show(colorScheme)
    setState({ colorScheme })
  })
  return () => {
    device().removeEventListener('change', followDevice)
    kept.unsubscribe()
  }
}
