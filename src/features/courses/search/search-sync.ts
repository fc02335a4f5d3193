import { deleteSetting, readSetting, writeSetting } from '#lib/settings.ts'
import { useSearchCriteria } from './search-criteria-store.ts'

/** Setting with the user's id (`null` for anonymous users) on the first line, then one recent search per line. */
const KEPT = 'Searches'
let stop = (): void => undefined

/** Persists the current user's recent searches; another user's are deleted. */
export function persistRecentSearches(webUserId: number | null): void {
  stop()
  const [whose, ...recent] = readSetting(KEPT)?.split('\n') ?? []
  if (whose !== String(webUserId)) deleteSetting(KEPT)
  useSearchCriteria.setState({ recent: whose === String(webUserId) ? recent : [] })
  stop = useSearchCriteria.subscribe((now, before) => {
    if (now.recent === before.recent) return
    if (now.recent.length > 0) writeSetting(KEPT, [String(webUserId), ...now.recent].join('\n'))
    else deleteSetting(KEPT)
  })
}
