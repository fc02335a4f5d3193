import * as v from 'valibot'
import { create } from 'zustand'
import { readSetting, writeSetting } from '#lib/settings.ts'

const KEY = 'OfficeViews'

const views = v.array(v.object({ path: v.string(), name: v.string(), query: v.string() }))
/** Named view of a list: its filters, sort order and columns. `query`: the URL parameters, see `savedViewQueryOf`. */
export type SavedView = v.InferOutput<typeof views>[number]

/**
 * The URL parameters that belong to a view. Excludes those of the side panel, and the search text because it may be a
 * person's name.
 */
export function savedViewQueryOf(search: string): string {
  const params = new URLSearchParams(search)
  for (const key of [...params.keys()]) if (key === 'q' || key === 'open' || key.includes('.')) params.delete(key)
  params.sort()
  return params.toString()
}

function read(): SavedView[] {
  try {
    return v.parse(views, JSON.parse(readSetting(KEY) ?? '[]'))
  } catch {
    // Damaged settings are treated as missing.
    return []
  }
}

export const useSavedViews = create<{ views: SavedView[] }>(() => ({ views: read() }))

export function updateSavedViews(change: (views: SavedView[]) => SavedView[]): void {
  const changed = change(useSavedViews.getState().views)
  writeSetting(KEY, JSON.stringify(changed))
  useSavedViews.setState({ views: changed })
}
