import * as contract from '#contract/office/office.ts'
import { updatePasskeyConfirmation } from '#server/features/session/repository.ts'
import { createAuditAnchor } from '#server/office/frame/audit-anchor-service.ts'
import type { Actor } from '#server/office/frame/office-context-service.ts'
import type { Config } from '#server/platform/config/config.ts'
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

export function mountActs(api: Api, context: ServerContext): void {
  const { db, config, wakeMailer } = context
  const anchorAuditLog = createAuditAnchor(context)

  api.mount(contract.performAct, async ({ body, session, language }) => {
    const answer = await performAct(db, body, { actor: actorOf(session, config), language, config })
    if (answer.recordId !== null) await anchorAuditLog()
    if (!session.service) await updatePasskeyConfirmation(db, session.tokenHash)
    wakeMailer()
    return answer
  })
}
