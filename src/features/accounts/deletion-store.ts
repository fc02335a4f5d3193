import { create } from 'zustand'
import type { RetainedDataItem } from '#contract/endpoints/accounts.ts'

/**
 * The data that is retained after the account was deleted; null if no account was deleted. Not part of the session
 * store, because the deletion ends the session.
 */
export const useDeletionReport = create<{ kept: RetainedDataItem[] | null }>(() => ({ kept: null }))
