import type { Database } from '#server/db/client.ts'
import { tooManyRequests } from '#server/http/problems.ts'
import { findWaitS, insertEvent } from './throttle-repository.ts'
import type { ThrottleCase, ThrottleKind } from './throttle-rules.ts'

/** Ends the search of one network address for registered e-mails. @throws HttpProblem 429 */
export async function requireNoProbing(db: Database, asked: ThrottleCase): Promise<void> {
  const waitS = await findWaitS(db, 'probe', asked)
  if (waitS > 0) throw tooManyRequests(waitS)
}

/** Notes what an outsider did. @throws HttpProblem 429 when the limits of its kind are reached */
export async function requireTurn(db: Database, kind: ThrottleKind, asked: ThrottleCase): Promise<void> {
  const waitS = await insertEvent(db, kind, asked)
  if (waitS > 0) throw tooManyRequests(waitS)
}
