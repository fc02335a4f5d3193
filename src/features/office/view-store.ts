import * as v from 'valibot'
import { create } from 'zustand'
import { readSetting, writeSetting } from '#lib/settings.ts'

const KEY = 'OfficeViews'

const views = v.array(v.object({ path: v.string(), name: v.string(), query: v.string() }))
/** Filters, sorting and columns of a list under a name. `query`: parameters of the address, see `queryOf`. */
export type SavedView = v.InferOutput<typeof views>[number]

/** Parameters that belong to a view: not the searched text, which may be a name, and not the side panel. */
export function viewQueryOf(search: string): string {
  const params = new URLSearchParams(search)
  for (const key of [...params.keys()]) if (key === 'q' || key === 'open' || key.includes('.')) params.delete(key)
  params.sort()
  return params.toString()
}

function read(): SavedView[] {
  try {
    return v.parse(views, JSON.parse(readSetting(KEY) ?? '[]'))
  } catch {
    // Damaged settings count as missing.
    return []
  }
}

export const useSavedViews = create<{ views: SavedView[] }>(() => ({ views: read() }))

export function storeViews(change: (views: SavedView[]) => SavedView[]): void {
  const changed = change(useSavedViews.getState().views)
  writeSetting(KEY, JSON.stringify(changed))
  useSavedViews.setState({ views: changed })
}
