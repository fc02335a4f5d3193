import * as contract from '#contract/office.ts'
import type { ServerContext } from '#server/context.ts'
import { updateConfirmed } from '#server/features/session/repository.ts'
import type { Api } from '#server/http/mount.ts'
import { mountOfficeContent } from './content-routes.ts'
import { mountOfficePeople } from './people-routes.ts'
import { mountProgramme } from './programme-routes.ts'
import { mountOfficeReads } from './read-routes.ts'
import { createRecordHead } from './record-head-service.ts'
import { performAct } from './service.ts'
import { mountToday } from './today-routes.ts'

export function mountOffice(api: Api, context: ServerContext): void {
  const { db, config, log, wakeMailer } = context
  mountOfficeReads(api, context)
  mountToday(api, context)
  mountOfficePeople(api, context)
  mountProgramme(api, context)
  mountOfficeContent(api, context)
  const keepHead = createRecordHead(config.dataDir)

  api.mount(contract.performAct, async ({ body, session, language }) => {
    const { answer, head } = await performAct(db, body, {
      actor: { id: session.id, rights: session.rights },
      language,
      config,
    })
    if (head) await keepHead(head).catch(error => log.error({ err: error }, 'the head of the record cannot be kept'))
    await updateConfirmed(db, session.tokenHash)
    wakeMailer()
    return answer
  })
}
