import { ENDINGS, type Ending } from '#contract/data-map.ts'

export type TimedEnding = { [Name in Ending]: (typeof ENDINGS)[Name] extends null ? never : Name }[Ending]

/** Formats a retention period as PostgreSQL `interval`. */
export const intervalOf = (ending: TimedEnding): string => `${ENDINGS[ending].count} ${ENDINGS[ending].unit}`
