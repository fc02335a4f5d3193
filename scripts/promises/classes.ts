import type { MissingFeature, TestName } from './tests.ts'

/** A sentence without a promise about the program: a fact, a request, a law, or manual work of the department. */
export const INFORMATION = 'information'

/** Exact German sentences with their classification: a reworded sentence has to be classified again. */
export type Classified = Record<
  string,
  typeof INFORMATION | { testedBy?: TestName[]; notImplemented?: MissingFeature[] }
>
