/**
 * Time of the system's monotonic clock in ms. All processes of a machine read the same value, and setting the system
 * clock does not affect it. Its origin is arbitrary.
 */
export const monotonicClockMs = (): number => Number(process.hrtime.bigint()) / 1e6
