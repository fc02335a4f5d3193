import { create } from 'zustand'
import { afterPaint } from '#lib/timers.ts'
import { useDeferredStore } from '#lib/use-deferred-store.ts'
import { EMPTY_CRITERIA, type Facet, type SearchCriteria } from './search-criteria-model.ts'

/** A filter group: either a facet or a filter that has only one option. */
export type CriteriaGroup = Facet | keyof typeof FLAGS
const FLAGS = { free: 'isFreeOnly', certified: 'isCertified', past: 'isPast' } as const
const isFlag = (group: CriteriaGroup): group is keyof typeof FLAGS => group in FLAGS

type CriteriaState = {
  criteria: SearchCriteria
  /** the current user's recent searches on this device, latest first */
  recent: readonly string[]
  remember: (text: string) => void
  forget: () => void
  replace: (criteria: SearchCriteria) => void
  change: (changes: Partial<Omit<SearchCriteria, 'facets'>>) => void
  toggle: (group: CriteriaGroup, value: string) => void
  /** resets the query and the filters, but not the sort order */
  reset: () => void
}

const MOST_RECENT = 6

/** The user's search criteria, held in memory until the app is closed. */
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
    if (isFlag(facet)) return get().change({ [FLAGS[facet]]: !criteria[FLAGS[facet]] })
    const chosen = criteria.facets[facet]
    const values = chosen.includes(value) ? chosen.filter(other => other !== value) : [...chosen, value]
    set({ criteria: { ...criteria, facets: { ...criteria.facets, [facet]: values } } })
  },
  reset: () => {
    const { sort, isReversed } = get().criteria
    set({ criteria: { ...EMPTY_CRITERIA, sort, isReversed } })
  },
}))

/** Subscribes to a single option, so that a tap rerenders only that option. */
export const useIsCriterionChosen = (group: CriteriaGroup, value: string): boolean =>
  useSearchCriteria(({ criteria }) => (isFlag(group) ? criteria[FLAGS[group]] : criteria.facets[group].includes(value)))

const pickCriteria = ({ criteria }: CriteriaState) => criteria
const painted = {
  getState: useSearchCriteria.getState,
  subscribe: (listener: (state: CriteriaState) => void) =>
    useSearchCriteria.subscribe(() => afterPaint(() => listener(useSearchCriteria.getState()))),
}
/**
 * Criteria for results that are expensive to render. Updated only after the keystroke or tap itself has been painted.
 * See docs/decisions/0064.
 */
export const useDeferredCriteria = (): SearchCriteria => useDeferredStore(painted, pickCriteria)

/** Filters the course list by this category and removes all other criteria. */
export const preselectCategory = (id: number): void => {
  const { facets } = EMPTY_CRITERIA
  useSearchCriteria.getState().replace({ ...EMPTY_CRITERIA, facets: { ...facets, categories: [String(id)] } })
}

/** Sets this query as the only criterion of the course list. Navigate to `/courses?redirect=true` afterwards. */
export const preselectQuery = (text: string): void => useSearchCriteria.getState().replace({ ...EMPTY_CRITERIA, text })
