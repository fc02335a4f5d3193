import { create } from 'zustand'

type ListView = {
  view: 'list' | 'week'
  /** a day of the displayed week, the displayed day on phones: midnight on the portal's wall clock; null: today */
  dayMs: number | null
}

/** List or week, and which week; in memory until the app is closed, so that both survive a visit to a course. */
export const useListView = create<ListView>(() => ({ view: 'list', dayMs: null }))
