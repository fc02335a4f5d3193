import type pg from 'pg'
import { UnavailableError } from './unavailable.ts'

/** The transaction was committed on the primary only, because the wait for the synchronous standby was cancelled. */
export class UnreplicatedError extends UnavailableError {
  override name = 'UnreplicatedError'
}

/**
 * Name of the PostgreSQL function that issues the warning about a cancelled wait. Unlike the warning's text, it is not
 * translated.
 */
const WARNING_ROUTINE = 'SyncRepWaitForLSN'

/** Runs a statement. @throws UnreplicatedError if the synchronous standby has not confirmed its commit */
export async function requireReplication<Result>(client: pg.ClientBase, work: () => Promise<Result>): Promise<Result> {
  let isCancelled = false
  const onNotice = ({ routine }: { routine?: string | undefined }) => {
    isCancelled ||= routine === WARNING_ROUTINE
  }
  client.on('notice', onNotice)
  try {
    const result = await work()
    if (isCancelled) throw new UnreplicatedError('committed without the synchronous standby')
    return result
  } finally {
    client.off('notice', onNotice)
  }
}
