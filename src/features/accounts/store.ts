import { create } from 'zustand'
import { persist } from 'zustand/middleware'
import type { Division } from '#contract/accounts.ts'
import type { ProfileInput } from '#contract/profile-rules.ts'
import { indexedDbStorage } from '#lib/storage.ts'
import { fetchDivisions } from './api.ts'

/** The company's divisions, kept for the forms. */
export const useDivisions = create<{ divisions: Division[] }>()(
  persist(() => ({ divisions: [] as Division[] }), {
    name: 'divisions',
    version: 1,
    storage: indexedDbStorage<{ divisions: Division[] }>(),
  }),
)

/** Fetches the divisions; without an answer the kept ones serve. */
export async function loadDivisions(): Promise<void> {
  const divisions = await fetchDivisions().catch(() => null)
  if (divisions) useDivisions.setState({ divisions })
}

export const EMPTY_REGISTRATION: ProfileInput = { formOfAddress: 'Frau', title: '' }

/** What was typed in the three steps, until it is sent or the page goes. Never stored: it holds a password. */
export const useRegistration = create<{ input: ProfileInput }>(() => ({ input: EMPTY_REGISTRATION }))
