import i18next from 'i18next'
import { contentUrl } from '#features/system/resource.ts'
import { readLanguage } from '#lib/language.ts'
import { documentsInLanguage } from './document-model.ts'
import { useOffline } from './offline-store.ts'
import { useContent } from './resource.ts'

/** From now on the published documents of the reader's language are on this device, opened or not. */
export function startKeepingFlyers(): void {
  const keep = () => {
    const { data, asOf } = useContent.getState()
    if (asOf === null) return
    try {
      useOffline.getState().keepFlyers(documentsInLanguage(data.items, readLanguage()).map(contentUrl))
    } catch {
      // What cannot be read breaks the page that shows it, and is reported there.
    }
  }
  useContent.subscribe(({ data }, before) => {
    if (data.items !== before.data.items) keep()
  })
  i18next.on('languageChanged', keep)
  keep()
}
