import { create } from 'zustand'
import type { Course } from '#contract/endpoints/courses.ts'

/**
 * Result shown in a dialog. `isUndoable`: whether the cancelled seat can be booked again on the same terms; `placeGone`:
 * the user wanted to undo a cancellation, but the seat has been taken since.
 */
export type BookingResult = {
  kind: 'booked' | 'waiting' | 'cancelled' | 'placeGone'
  course: Course
  isUndoable: boolean
}
/** `sending`: first attempt; `asking`: no usable response yet, retrying until there is one */
export type PendingBooking = { action: 'book' | 'cancel'; phase: 'sending' | 'asking' }

type BookingsState = {
  pending: ReadonlyMap<number, PendingBooking>
  outcome: BookingResult | null
  /** confirmed terms by course id, as returned by `bookingTermsKey` */
  agreed: ReadonlyMap<number, string>
  agree: (id: number, agreement: string) => void
  dismiss: () => void
  /** clears everything because another user has logged in */
  forget: () => void
}

/** Pending booking requests, the terms the user agreed to, and results. */
export const useBookings = create<BookingsState>((set, get) => ({
  pending: new Map(),
  outcome: null,
  agreed: new Map(),
  agree: (id, agreement) => set({ agreed: new Map(get().agreed).set(id, agreement) }),
  dismiss: () => set({ outcome: null }),
  forget: () => set({ pending: new Map(), outcome: null, agreed: new Map() }),
}))
