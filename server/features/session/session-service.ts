import type { OwnSession } from '#contract/session.ts'
import type { Database } from '#server/db/client.ts'
import { toDateTimeValue } from '#server/db/date-time.ts'
import type { SessionUser } from '#server/http/mount.ts'
import { deleteDevices } from './device-repository.ts'
import type { Device } from './device-service.ts'
import * as repository from './repository.ts'

export async function listSessions(db: Database, user: SessionUser): Promise<OwnSession[]> {
  const sessions = await repository.listSessions(db, user.id, user.tokenHash)
  return sessions.map(({ startedAt, lastUsedAt, ...session }) => ({
    ...session,
    startedAt: toDateTimeValue(startedAt),
    lastUsedAt: toDateTimeValue(lastUsedAt),
  }))
}

/** Ends all other sessions of a person and forgets all browsers but this one. @returns number of sessions */
export const endOtherSessions = (db: Database, user: SessionUser, device: Device): Promise<number> =>
  db.transaction(async tx => {
    await deleteDevices(tx, user.id, device.hashes)
    return repository.deleteSessions(tx, user.id, user.tokenHash)
  })
