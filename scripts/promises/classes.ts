import type { MissingFeature, TestName } from './tests.ts'

/**
 * Marks a sentence that promises nothing about the software: a fact, a request, a law, or manual work by the
 * department.
 */
export const INFORMATION = 'information'

/** Exact German sentences with their classification. A sentence that is reworded must be classified again. */
export type ClassifiedSentences = Record<
  string,
  typeof INFORMATION | { testedBy?: TestName[]; notImplemented?: MissingFeature[] }
>
