import { create } from 'zustand'
import type { Course } from '#contract/courses.ts'

/** What the reader is told in a dialog. */
export type Outcome = { kind: 'booked' | 'waiting' | 'cancelled'; course: Course }
/** `sending`: first try under way; `asking`: the answer was lost, the question is put again until there is one */
export type Pending = { action: 'book' | 'cancel'; phase: 'sending' | 'asking' }

type BookingsState = {
  pending: ReadonlyMap<number, Pending>
  outcome: Outcome | null
  /** what the person has agreed to, by course, as `agreementOf` says it */
  agreed: ReadonlyMap<number, string>
  agree: (id: number, agreement: string) => void
  dismiss: () => void
  /** somebody else is at the device */
  forget: () => void
}

/** What a person does with courses: what is under way, and what came of it. */
export const useBookings = create<BookingsState>((set, get) => ({
  pending: new Map(),
  outcome: null,
  agreed: new Map(),
  agree: (id, agreement) => set({ agreed: new Map(get().agreed).set(id, agreement) }),
  dismiss: () => set({ outcome: null }),
  forget: () => set({ outcome: null, agreed: new Map() }),
}))
