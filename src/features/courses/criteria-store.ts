import { create } from 'zustand'
import { afterPaint } from '#lib/after.ts'
import { useLate } from '#lib/use-late.ts'
import { type Criteria, type Facet, NO_CRITERIA } from './criteria-model.ts'

/** A group of choices; `free` and `past` have one each. */
export type Group = Facet | 'free' | 'past'

type CriteriaState = {
  criteria: Criteria
  /** what was searched for on this device by whoever is here, the latest first */
  recent: readonly string[]
  remember: (text: string) => void
  forget: () => void
  replace: (criteria: Criteria) => void
  change: (changes: Partial<Omit<Criteria, 'facets'>>) => void
  toggle: (group: Group, value: string) => void
  /** takes back words and filters; the order stays */
  reset: () => void
}

const MOST_RECENT = 6

/** What the reader searches for; remembered while the app is open. */
export const useCriteria = create<CriteriaState>((set, get) => ({
  criteria: NO_CRITERIA,
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
  reset: () => set({ criteria: { ...NO_CRITERIA, sort: get().criteria.sort } }),
}))

/** Of one choice alone: a tap on it renders nothing else before it shows. */
export const useIsChosen = (group: Group, value: string): boolean =>
  useCriteria(({ criteria }) => {
    if (group === 'free') return criteria.isFreeOnly
    return group === 'past' ? criteria.isPast : criteria.facets[group].includes(value)
  })

const pickCriteria = ({ criteria }: CriteriaState) => criteria
const painted = {
  getState: useCriteria.getState,
  subscribe: (listener: (state: CriteriaState) => void) =>
    useCriteria.subscribe(() => afterPaint(() => listener(useCriteria.getState()))),
}
/** For what a letter or a tap brings: it begins when the letter or the tap itself has been painted. See docs/decisions/0064. */
export const useWanted = (): Criteria => useLate(painted, pickCriteria)

/** The course list opens with this category alone. */
export const preselectCategory = (id: number): void => {
  const { facets } = NO_CRITERIA
  useCriteria.getState().replace({ ...NO_CRITERIA, facets: { ...facets, categories: [String(id)] } })
}

/** The course list opens with these words; go to `/courses?redirect=true`. */
export const searchFor = (text: string): void => useCriteria.getState().replace({ ...NO_CRITERIA, text })
