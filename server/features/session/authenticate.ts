import { createBatcher } from '#server/platform/db/batch.ts'
import type { Database } from '#server/platform/db/client.ts'
import type { Authenticate } from '#server/platform/http/mount.ts'
import { hashToken } from '#server/platform/http/token.ts'
import { listSessionUsers, updateSessionUse } from './repository.ts'

export function createSessionAuthenticator(db: Database): Authenticate {
  const findUser = createBatcher((tokenHashes: Buffer[]) => listSessionUsers(db, tokenHashes))
  return async token => {
    const user = await findUser(hashToken(token))
    if (user?.isUseStale) await updateSessionUse(db, user.tokenHash)
    return user
  }
}
