import * as contract from '#contract/office.ts'
import type { ServerContext } from '#server/context.ts'
import { updateConfirmed } from '#server/features/session/repository.ts'
import type { Api } from '#server/http/mount.ts'
import { createAuditAnchor } from './audit-anchor-service.ts'
import { mountOfficeContent } from './content-routes.ts'
import { mountOfficePeople } from './people-routes.ts'
import { mountProgramme } from './programme-routes.ts'
import { mountOfficeReads } from './read-routes.ts'
import { performAct } from './service.ts'
import { mountToday } from './today-routes.ts'

export function mountOffice(api: Api, context: ServerContext): void {
  const { db, config, wakeMailer } = context
  mountOfficeReads(api, context)
  mountToday(api, context)
  mountOfficePeople(api, context)
  mountProgramme(api, context)
  mountOfficeContent(api, context)
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
