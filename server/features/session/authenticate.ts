import { createHash } from 'node:crypto'
import { type Database, sql } from '#server/db/client.ts'
import type { Authenticate, SessionUser } from '#server/http/mount.ts'

/** Tokens are stored as their SHA-256 only. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()

type Row = { id: number; email: string; is_instructor: boolean }

/** Looks up who a session token belongs to. */
export function createAuthenticate(db: Database): Authenticate {
  return async (token): Promise<SessionUser | null> => {
    const tokenHash = hashToken(token)
    const row = await db.maybeOne<Row>(sql`
      select u.id, u.email, exists (select from instructors i where i.email = u.email) as is_instructor
      from sessions s join web_users u on u.id = s.web_user_id
      where s.token_hash = ${tokenHash} and s.expires_at > clock_timestamp() and u.confirmed_at is not null`)
    return row && { id: row.id, email: row.email, isInstructor: row.is_instructor, tokenHash }
  }
}
