import { dropSetting, readSetting, writeSetting } from '#lib/settings.ts'
import { useSearchCriteria } from './search-criteria-store.ts'

/** On the device, a line each: who searched (a number, or nobody in particular), and for what. */
const KEPT = 'Searches'
let stop = (): void => undefined

/** Keeps what somebody searches for and offers what they searched for before; of anybody else nothing stays. */
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
