import type { Queryable } from '#server/db/client.ts'
import type { SessionUser } from '#server/http/mount.ts'
import { insertAccesses } from './access-log-repository.ts'

/** Writes down who looked at whom: the department by its rights, an instructor by name. */
export async function logAccess(
  db: Queryable,
  { id, rights, service }: SessionUser,
  { call, isOffice }: { call: string; isOffice: boolean },
  people: (number | null)[],
): Promise<void> {
  if (people.length === 0) return
  const reader = service ?? (isOffice ? rights.join(', ') : null)
  await insertAccesses(db, { readerId: service === undefined ? id : null, reader, call, people })
}
