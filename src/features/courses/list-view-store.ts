import { create } from 'zustand'

type ListView = {
  view: 'list' | 'week'
  /**
   * a day of the displayed week or, on phones, the displayed day: midnight in the portal's time zone, in the unit of
   * `toLocalTimeMs`; null means today
   */
  dayMs: number | null
}

/**
 * Whether the list or the calendar is shown, and for which week. Held in memory until the app is closed, so that both
 * are unchanged after visiting a course.
 */
export const useListView = create<ListView>(() => ({ view: 'list', dayMs: null }))
