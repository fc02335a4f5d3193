import { create } from 'zustand'
import type { KeptData } from '#contract/accounts.ts'

/** What stays of the account that was just deleted; null: there is nothing to tell. It outlives the session and its screen. */
export const useDeletionReport = create<{ kept: KeptData[] | null }>(() => ({ kept: null }))
