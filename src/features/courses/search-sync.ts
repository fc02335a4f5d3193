import { deleteSetting, readSetting, writeSetting } from '#lib/settings.ts'
import { useSearchCriteria } from './search-criteria-store.ts'

/** Setting with one line each: the user's id (`null` for anonymous users), then the recent searches. */
const KEPT = 'Searches'
let stop = (): void => undefined

/** Persists recent searches of the current user; those of other users are deleted. */
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
