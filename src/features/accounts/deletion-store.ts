import { create } from 'zustand'
import type { KeptData } from '#contract/accounts.ts'

/**
 * The data that are retained after the account was deleted; null without a deletion. Independent of the session, which
 * the deletion ends.
 */
export const useDeletionReport = create<{ kept: KeptData[] | null }>(() => ({ kept: null }))
