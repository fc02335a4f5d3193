import { dropSetting, readSetting, writeSetting } from '#lib/settings.ts'
import { useSearchCriteria } from './search-criteria-store.ts'

/** IndexedDB key. Each row has the user's id, or none for anonymous searches, and the query. */
const KEPT = 'Searches'
let stop = (): void => undefined

/** Persists recent searches of the current user; those of other users are deleted. */
export function keepSearches(webUserId: number | null): void {
  stop()
  const [whose, ...recent] = readSetting(KEPT)?.split('\n') ?? []
  if (whose !== String(webUserId)) dropSetting(KEPT)
  useSearchCriteria.setState({ recent: whose === String(webUserId) ? recent : [] })
  stop = useSearchCriteria.subscribe((now, before) => {
    if (now.recent === before.recent) return
    if (now.recent.length > 0) writeSetting(KEPT, [String(webUserId), ...now.recent].join('\n'))
    else dropSetting(KEPT)
  })
}
