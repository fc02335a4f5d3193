import * as contract from '#contract/connections.ts'
import type { ServerContext } from '#server/context.ts'
import { pageOf, toPage } from '#server/features/office/read-rules.ts'
import type { Api } from '#server/http/mount.ts'
import { notFound } from '#server/http/problems.ts'
import * as repository from './repository.ts'

/** Other programs, as the desk sees them; they are connected by acts. */
export function mountConnections(api: Api, { db }: ServerContext): void {
  api.mount(contract.listTokens, async ({ query }) => {
    const page = pageOf(query)
    return toPage(await repository.listTokens(db, page), page.limit, ({ tokenId }) => tokenId)
  })

  api.mount(contract.listWebhooks, async ({ query }) => {
    const page = pageOf(query)
    return toPage(await repository.listWebhooks(db, page), page.limit, ({ webhookId }) => webhookId)
  })

  api.mount(contract.listDeliveries, async ({ params, query }) => {
    if (!(await repository.hasWebhook(db, params.id))) throw notFound()
    const page = pageOf(query)
    const { items, next } = toPage(await repository.listDeliveries(db, params.id, page), page.limit, ({ id }) => id)
    return { items: items.map(({ id, ...delivery }) => delivery), next }
  })
}
