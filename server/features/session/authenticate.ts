import { createHash, randomBytes } from 'node:crypto'
import type { Database } from '#server/db/client.ts'
import type { Authenticate } from '#server/http/mount.ts'
import { findSessionUser, updateSessionUse } from './repository.ts'

/** 256 random bits, as text. */
export const createToken = (): string => randomBytes(32).toString('base64url')

/** Tokens are stored as their SHA-256 only. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()

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
