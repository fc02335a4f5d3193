import { ENDINGS, type Ending } from '#contract/data-map.ts'

export type TimedEnding = { [Name in Ending]: (typeof ENDINGS)[Name] extends null ? never : Name }[Ending]

/** A period of the data map as PostgreSQL's `interval` takes it. */
export const intervalOf = (ending: TimedEnding): string => `${ENDINGS[ending].count} ${ENDINGS[ending].unit}`
