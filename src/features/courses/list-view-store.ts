import { create } from 'zustand'
import { weekdayIndex } from '#contract/words.ts'

type ListView = {
  view: 'list' | 'week'
  /**
   * a day of the displayed week or, on phones, the displayed day: midnight in the portal's time zone, in the unit of
   * `toLocalTimeMs`; null means today
   */
  dayMs: number | null
}

const DAY_MS = 86_400_000

/** The day with this weekday (0 Sunday to 6 Saturday) in the week of the given day. */
export const weekdayInWeekOf = (dayMs: number, weekday: number): number =>
  dayMs + (weekdayIndex(weekday) - weekdayIndex(new Date(dayMs).getUTCDay())) * DAY_MS

const DAY = /^\d{4}-\d\d-\d\d$/

/** Adds the calendar and its day to the query string of the search criteria. */
export function withListView(search: string): string {
  const { view, dayMs } = useListView.getState()
  if (view === 'list') return search
  const query = new URLSearchParams(search)
  query.set('view', view)
  if (dayMs !== null) query.set('date', new Date(dayMs).toISOString().slice(0, 10))
  return `?${query}`
}

/** Shows the calendar that a query string names. Without one, the view remains as it is. */
export function showListViewOf(search: string): void {
  const query = new URLSearchParams(search)
  if (query.get('view') !== 'week') return
  const day = query.get('date') ?? ''
  const dayMs = DAY.test(day) ? Date.parse(`${day}T00:00Z`) : Number.NaN
  useListView.setState({ view: 'week', dayMs: Number.isNaN(dayMs) ? null : dayMs })
}

/**
 * Whether the list or the calendar is shown, and for which week. Held in memory until the app is closed, so that both
 * are unchanged after visiting a course.
 */
export const useListView = create<ListView>(() => ({ view: 'list', dayMs: null }))
