import type { ConsentKind, GivenConsent } from '#contract/consent-kinds.ts'
import type { Database, Queryable } from '#server/db/client.ts'
import * as repository from './consent-repository.ts'

/**
 * A profile with an insurance number was sent with the consent to store it; one without it withdraws the consent.
 * @param version of the text; the first one, which earlier apps show, if it is missing
 */
export const noteInsuranceNumber = (
  tx: Queryable,
  webUserId: number,
  { bkkNumber, version = '1' }: { bkkNumber: string; version?: GivenConsent['version'] | undefined },
): Promise<number> =>
  bkkNumber === ''
    ? repository.updateWithdrawn(tx, webUserId, 'insurance')
    : repository.insertConsent(tx, webUserId, { kind: 'insurance', version })

/** Withdraws a consent and deletes the data that depend on it. */
export const withdrawConsent = (db: Database, webUserId: number, kind: ConsentKind): Promise<void> =>
  db.transaction(async tx => {
    if ((await repository.updateWithdrawn(tx, webUserId, kind)) === 0) return
    if (kind === 'insurance') await repository.clearInsuranceNumber(tx, webUserId)
    else await repository.deleteHealthAttendance(tx, webUserId)
  })
