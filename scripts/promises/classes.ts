import type { HeldBy, NotKeptYet } from './tests.ts'

/** A sentence that promises nothing of the program: a fact, a request, the law, or what the department does by hand. */
export const INFORMATION = 'information'

/** German sentences as they stand in the texts, by what holds them: one that is reworded is classified anew. */
export type Classified = Record<string, typeof INFORMATION | { heldBy?: HeldBy[]; notKeptYet?: NotKeptYet[] }>
