import { create } from 'zustand'
import type { KeptData } from '#contract/accounts.ts'

/** Data retained after the account deletion; null without one. Outlives the session and its screen. */
export const useDeletionReport = create<{ kept: KeptData[] | null }>(() => ({ kept: null }))
