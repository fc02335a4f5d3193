import { create } from 'zustand'
import type { Division } from '#contract/accounts.ts'
import type { ProfileInput } from '#contract/profile-rules.ts'
import { useSession } from '#features/session/store.ts'
import { keptValue } from '#lib/kept-value.ts'
import { fetchDivisions } from './api.ts'

const divisionsCache = keptValue<Division[]>('divisions', divisions =>
  divisions.every(({ id }) => Number.isInteger(id)),
)

/** The company's divisions, kept for the forms. */
export const useDivisions = create<{ divisions: readonly Division[] }>(() => ({ divisions: [] }))

/** Fetches the divisions; without an answer the kept ones serve. */
export async function loadDivisions(): Promise<void> {
  try {
    const divisions = await fetchDivisions()
    useDivisions.setState({ divisions })
    await divisionsCache.write(divisions)
  } catch {
    const divisions = await divisionsCache.read()
    if (divisions !== null) useDivisions.setState({ divisions })
  }
}

const EMPTY_REGISTRATION: ProfileInput = { formOfAddress: 'Frau', title: '' }

/** What was typed in the three steps, until it is sent or the page goes. Never stored: it holds a password. */
export const useRegistration = create<{ input: ProfileInput }>(() => ({ input: EMPTY_REGISTRATION }))

export const forgetRegistration = (): void => useRegistration.setState({ input: EMPTY_REGISTRATION })

useSession.subscribe(({ phase }) => {
  if (phase === 'started') forgetRegistration()
})
