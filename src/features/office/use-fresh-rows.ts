import { useState } from 'react'
import { useDeskState } from './store.ts'

type Id = number | string
type Seen = { revision: number; known: ReadonlySet<Id>; fresh: ReadonlySet<Id> }
const NONE: ReadonlySet<Id> = new Set()

/**
 * Ids of the rows that actions have created since the table was opened. Does not include rows that appear because of a
 * search or another page.
 */
export function useNewRowIds(ids: readonly Id[], isLoading: boolean): ReadonlySet<Id> {
  const revision = useDeskState(state => state.revision)
  const [seen, setSeen] = useState<Seen | null>(null)
  if (isLoading) return seen?.fresh ?? NONE
  const added = ids.filter(id => !seen?.known.has(id))
  if (seen !== null && added.length === 0) return seen.fresh
  const isMade = seen !== null && seen.revision !== revision
  const fresh = isMade ? new Set([...seen.fresh, ...added]) : (seen?.fresh ?? NONE)
  setSeen({ revision, known: new Set([...(seen?.known ?? NONE), ...added]), fresh })
  return fresh
}
