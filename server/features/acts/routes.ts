import * as contract from '#contract/office.ts'
import { createAuditAnchor } from '#server/features/office/audit-anchor-service.ts'
import { updateConfirmed } from '#server/features/session/repository.ts'
import type { Api } from '#server/http/mount.ts'
import type { ServerContext } from '#server/runtime/context.ts'
import { performAct } from './service.ts'

export function mountActs(api: Api, context: ServerContext): void {
  const { db, config, wakeMailer } = context
  const anchorAuditLog = createAuditAnchor(context)

  api.mount(contract.performAct, async ({ body, session, language }) => {
    const answer = await performAct(db, body, {
      actor: {
        id: session.id,
        rights: session.rights,
        hasFreshPasskey: session.hasFreshPasskey === true || !config.isPasskeyRequired,
      },
      language,
      config,
    })
    if (answer.recordId !== null) await anchorAuditLog()
    await updateConfirmed(db, session.tokenHash)
    wakeMailer()
    return answer
  })
}
