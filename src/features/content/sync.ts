import i18next from 'i18next'
import { contentUrl } from '#features/system/resource.ts'
import { readLanguage } from '#lib/settings.ts'
import { documentsInLanguage } from './document-model.ts'
import { useOfflineDocuments } from './offline-store.ts'
import { useContent } from './resource.ts'

/** Starts caching the published documents in the current language for offline use. */
export function startFlyerCache(): void {
  const keep = () => {
    const { data, asOf } = useContent.getState()
    if (asOf === null) return
    try {
      useOfflineDocuments.getState().keepFlyers(documentsInLanguage(data.items, readLanguage()).map(contentUrl))
    } catch {
      // Unreadable data is reported by the page that displays it.
    }
  }
  // After each response, because flyers that could not be fetched before are tried again.
  useContent.subscribe(({ asOf }, before) => {
    if (asOf !== before.asOf) keep()
  })
  i18next.on('languageChanged', keep)
  keep()
}
