import type { BookingOfPerson } from '#contract/office/people.ts'

/** Formats 'YYYY-MM-DD', optionally followed by a time, as a date for display. */
export function formatDay(moment: string): string {
  const [year = '', month = '', day = ''] = moment.slice(0, 10).split('-')
  return `${day}.${month}.${year}`
}
export const formatDateTime = (moment: string): string => `${formatDay(moment)}, ${moment.slice(11, 16)}`

/** @param midnight in ms, as in lib/use-now.ts @returns 'YYYY-MM-DD' */
export const toDateString = (midnight: number): string => new Date(midnight).toISOString().slice(0, 10)

export const splitCurrentAndFormerBookings = (bookings: readonly BookingOfPerson[]) => ({
  present: bookings.filter(({ bookingStatus }) => bookingStatus !== 0),
  former: bookings.filter(({ bookingStatus }) => bookingStatus === 0),
})

/** Whether a course is neither cancelled nor over, so that it can still be booked. @param today 'YYYY-MM-DD' */
export const isCourseCurrentOrFuture = (
  { cancelled, end }: { cancelled: boolean; end: string },
  today: string,
): boolean => !cancelled && end >= today

export const seatOccupancyOf = ({ places, booked }: { places: number; booked: number }): number =>
  places === 0 ? 0 : Math.min(1, booked / places)
