/** Milliseconds of the machine's clock, the same in all processes and never set back. */
export const clockMs = (): number => performance.timeOrigin + performance.now()
