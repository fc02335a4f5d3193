import * as contract from '#contract/office/office.ts'
import { updatePasskeyConfirmation } from '#server/features/session/repository.ts'
import { createAuditAnchor } from '#server/office/frame/audit-anchor-service.ts'
import type { Actor } from '#server/office/frame/office-context-service.ts'
import type { Config } from '#server/platform/config/config.ts'
import { createSemaphore } from '#server/platform/db/semaphore.ts'
import type { Api, SessionUser } from '#server/platform/http/mount.ts'
import type { ServerContext } from '#server/platform/runtime/context.ts'
import { performAct } from './service.ts'

const actorOf = (
  { id, rights, hasFreshPasskey = false, service }: SessionUser,
  { isPasskeyRequired }: Pick<Config, 'isPasskeyRequired'>,
): Actor =>
  service
    ? { kind: 'program', tokenId: service.id, name: service.name, rights }
    : { kind: 'user', id, rights, hasFreshPasskey: hasFreshPasskey || !isPasskeyRequired }

/**
 * Most acts lock the rights, the batches or the audit log. Acts that arrive at the same time wait here, where the limit of
 * a lock does not apply and no database connection is occupied.
 */
const ACTS_AT_ONCE = { slots: 2, maxWaiting: 100, patienceMs: 20_000 }

export function mountActs(api: Api, context: ServerContext): void {
  const { db, config, wakeMailer } = context
  const anchorAuditLog = createAuditAnchor(context)
  const acts = createSemaphore(ACTS_AT_ONCE)

  api.mount(contract.performAct, async ({ body, session, language }) => {
    const call = { actor: actorOf(session, config), language, config }
    const answer = await acts.run(() => performAct(db, body, call))
    if (answer.recordId !== null) await anchorAuditLog()
    if (!session.service) await updatePasskeyConfirmation(db, session.tokenHash)
    wakeMailer()
    return answer
  })
}
