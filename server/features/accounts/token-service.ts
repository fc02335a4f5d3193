import type { Database } from '#server/db/client.ts'
import { hashToken } from '#server/http/token.ts'
import { lockAccount } from './repository.ts'
import { deleteNewEmailLinks, findLink, updateConfirmed, updateEmail } from './token-repository.ts'

export type LinkOutcome = 'activated' | 'emailChanged' | 'taken' | 'unknown'

/** Opens a mailed link. Opening it again, as people and mail programs do, gives the same answer until it expires. */
export function openLink(db: Database, token: string): Promise<LinkOutcome> {
  return db.transaction(async tx => {
    const link = await findLink(tx, hashToken(token))
    if (link === null) return 'unknown'
    const { id, email } = await lockAccount(tx, link.webUserId)
    if (link.purpose === 'activation') {
      await updateConfirmed(tx, id)
      return 'activated'
    }
    const newEmail = link.newEmail ?? ''
    if (newEmail !== email && !(await updateEmail(tx, id, email, newEmail))) return 'taken'
    await deleteNewEmailLinks(tx, id, newEmail)
    return 'emailChanged'
  })
}
