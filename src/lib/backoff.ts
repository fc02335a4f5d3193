const FIRST_WAIT_MS = 2_000
const LONGEST_WAIT_MS = 60_000

/** How long to wait before try number `failures + 1`: doubled each time, up to a minute, with jitter. @param random 0 to 1 */
export const backoffMs = (failures: number, random: number): number =>
  Math.round(Math.min(FIRST_WAIT_MS * 2 ** Math.max(0, failures - 1), LONGEST_WAIT_MS) * (0.5 + random / 2))
