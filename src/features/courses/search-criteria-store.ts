import { create } from 'zustand'
import { afterPaint } from '#lib/timers.ts'
import { useDeferredStore } from '#lib/use-deferred-store.ts'
import { EMPTY_CRITERIA, type Facet, type SearchCriteria } from './search-criteria-model.ts'

/** A group of choices; `free` and `past` have one each. */
export type Group = Facet | 'free' | 'past'

type CriteriaState = {
  criteria: SearchCriteria
  /** what was searched for on this device by whoever is here, the latest first */
  recent: readonly string[]
  remember: (text: string) => void
  forget: () => void
  replace: (criteria: SearchCriteria) => void
  change: (changes: Partial<Omit<SearchCriteria, 'facets'>>) => void
  toggle: (group: Group, value: string) => void
  /** takes back words and filters; the order stays */
  reset: () => void
}

const MOST_RECENT = 6

/** What the reader searches for; remembered while the app is open. */
export const useSearchCriteria = create<CriteriaState>((set, get) => ({
  criteria: EMPTY_CRITERIA,
  recent: [],
  remember: text => {
    const wanted = text.trim()
    if (wanted.length > 2)
      set({ recent: [wanted, ...get().recent.filter(other => other !== wanted)].slice(0, MOST_RECENT) })
  },
  forget: () => set({ recent: [] }),
  replace: criteria => set({ criteria }),
  change: changes => set({ criteria: { ...get().criteria, ...changes } }),
  toggle: (facet, value) => {
    const { criteria } = get()
    if (facet === 'free') return get().change({ isFreeOnly: !criteria.isFreeOnly })
    if (facet === 'past') return get().change({ isPast: !criteria.isPast })
    const chosen = criteria.facets[facet]
    const values = chosen.includes(value) ? chosen.filter(other => other !== value) : [...chosen, value]
    set({ criteria: { ...criteria, facets: { ...criteria.facets, [facet]: values } } })
  },
  reset: () => set({ criteria: { ...EMPTY_CRITERIA, sort: get().criteria.sort } }),
}))

/** Of one choice alone: a tap on it renders nothing else before it shows. */
export const useIsChosen = (group: Group, value: string): boolean =>
  useSearchCriteria(({ criteria }) => {
    if (group === 'free') return criteria.isFreeOnly
    return group === 'past' ? criteria.isPast : criteria.facets[group].includes(value)
  })

const pickCriteria = ({ criteria }: CriteriaState) => criteria
const painted = {
  getState: useSearchCriteria.getState,
  subscribe: (listener: (state: CriteriaState) => void) =>
    useSearchCriteria.subscribe(() => afterPaint(() => listener(useSearchCriteria.getState()))),
}
/** For what a letter or a tap brings: it begins when the letter or the tap itself has been painted. See docs/decisions/0064. */
export const useEffectiveCriteria = (): SearchCriteria => useDeferredStore(painted, pickCriteria)

/** The course list opens with this category alone. */
export const preselectCategory = (id: number): void => {
  const { facets } = EMPTY_CRITERIA
  useSearchCriteria.getState().replace({ ...EMPTY_CRITERIA, facets: { ...facets, categories: [String(id)] } })
}

/** The course list opens with these words; go to `/courses?redirect=true`. */
export const searchFor = (text: string): void => useSearchCriteria.getState().replace({ ...EMPTY_CRITERIA, text })
