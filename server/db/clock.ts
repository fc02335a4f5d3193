/**
 * Milliseconds of the system's monotonic clock: the same in all processes of a machine, whenever they started, and not affected
 * when the system clock is set. Its origin is arbitrary.
 */
export const clockMs = (): number => Number(process.hrtime.bigint()) / 1e6
