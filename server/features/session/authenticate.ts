import type { Database } from '#server/db/client.ts'
import type { Authenticate } from '#server/http/mount.ts'
import { hashToken } from '#server/http/token.ts'
import { findSessionUser, updateSessionUse } from './repository.ts'

/** Looks up who a session token belongs to. */
export function createAuthenticate(db: Database): Authenticate {
  return async token => {
    const tokenHash = hashToken(token)
    const user = await findSessionUser(db, tokenHash)
    if (user === null) return null
    const { isUseStale, ...session } = user
    if (isUseStale) await updateSessionUse(db, tokenHash)
    return { ...session, tokenHash }
  }
}
