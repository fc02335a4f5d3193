import { localStorageColorSchemeManager } from '@mantine/core'

/** The key that public/boot.js reads before the first paint. */
export const colorSchemeManager = localStorageColorSchemeManager({ key: 'ColorScheme' })
