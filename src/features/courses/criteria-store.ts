import { create } from 'zustand'
import { dropSetting, readSetting, writeSetting } from '#lib/settings.ts'
import { type Criteria, type Facet, NO_CRITERIA } from './criteria-model.ts'

type CriteriaState = {
  criteria: Criteria
  /** what was searched for on this device by whoever is here, the latest first */
  recent: readonly string[]
  remember: (text: string) => void
  forget: () => void
  replace: (criteria: Criteria) => void
  change: (changes: Partial<Omit<Criteria, 'facets'>>) => void
  toggle: (facet: Facet, value: string) => void
  /** takes back words and filters; the order stays */
  reset: () => void
}

const MOST_RECENT = 6
/** On the device, a line each: who searched (a number, or nobody in particular), and for what. */
const KEPT = 'Searches'
let searcher: number | null = null

/** What the reader searches for; remembered while the app is open. */
export const useCriteria = create<CriteriaState>((set, get) => ({
  criteria: NO_CRITERIA,
  recent: [],
  remember: text => {
    const wanted = text.trim()
    if (wanted.length < 3) return
    const recent = [wanted, ...get().recent.filter(other => other !== wanted)].slice(0, MOST_RECENT)
    set({ recent })
    writeSetting(KEPT, [String(searcher), ...recent].join('\n'))
  },
  forget: () => {
    set({ recent: [] })
    dropSetting(KEPT)
  },
  replace: criteria => set({ criteria }),
  change: changes => set({ criteria: { ...get().criteria, ...changes } }),
  toggle: (facet, value) => {
    const { criteria } = get()
    const chosen = criteria.facets[facet]
    const values = chosen.includes(value) ? chosen.filter(other => other !== value) : [...chosen, value]
    set({ criteria: { ...criteria, facets: { ...criteria.facets, [facet]: values } } })
  },
  reset: () => set({ criteria: { ...NO_CRITERIA, sort: get().criteria.sort } }),
}))

/** Offers what the same person searched for before; of anybody else nothing stays. */
export function recallSearches(webUserId: number | null): void {
  searcher = webUserId
  const [whose, ...recent] = readSetting(KEPT)?.split('\n') ?? []
  if (whose === String(searcher)) useCriteria.setState({ recent })
  else useCriteria.getState().forget()
}

/** The course list opens with this category alone. */
export const preselectCategory = (id: number): void => {
  const { facets } = NO_CRITERIA
  useCriteria.getState().replace({ ...NO_CRITERIA, facets: { ...facets, categories: [String(id)] } })
}

/** The course list opens with these words; go to `/courses?redirect=true`. */
export const searchFor = (text: string): void => useCriteria.getState().replace({ ...NO_CRITERIA, text })
