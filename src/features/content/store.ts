import { create } from 'zustand'
import type { InstructorProfile, WebContentItem } from '#contract/content.ts'
import { serverNow } from '#lib/clock.ts'
import { storedValue } from '#lib/stored-value.ts'
import { listInstructors, listWebContentItems } from './api.ts'

type Content = {
  items: readonly WebContentItem[]
  instructors: readonly InstructorProfile[]
  /** when the server said so, ms since 1970 by the device */
  asOf: number
}

type ContentState = {
  /** `failed`: nothing stored and no answer; with anything to show it is `ready` */
  phase: 'loading' | 'ready' | 'failed'
  /** the last try to fetch failed: what shows is from `asOf` */
  isStale: boolean
  start: () => Promise<void>
  refresh: () => Promise<void>
} & Omit<Content, 'asOf'> & { asOf: number | null }

const cache = storedValue<Content>(
  'content',
  ({ items, instructors, asOf }) =>
    items.every(({ contentType }) => typeof contentType === 'string') &&
    instructors.every(({ familyName }) => typeof familyName === 'string') &&
    Number.isFinite(asOf),
)

/** What the department publishes beside the courses: content items and the instructors' profiles. */
export const useContent = create<ContentState>((set, get) => ({
  phase: 'loading',
  items: [],
  instructors: [],
  asOf: null,
  isStale: false,

  start: async () => {
    const recall = cache.read().then(stored => {
      if (stored && get().asOf === null) set({ ...stored, phase: 'ready' })
    })
    await Promise.all([recall, get().refresh()])
  },

  refresh: async () => {
    if (get().phase === 'failed') set({ phase: 'loading' })
    try {
      const [items, instructors] = await Promise.all([listWebContentItems(), listInstructors()])
      const content = { items, instructors, asOf: serverNow() }
      set({ ...content, phase: 'ready', isStale: false })
      await cache.write(content)
    } catch {
      set(({ asOf }) => ({ isStale: true, phase: asOf === null ? 'failed' : 'ready' }))
    }
  },
}))
