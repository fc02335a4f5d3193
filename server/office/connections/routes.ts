import * as contract from '#contract/office/connections.ts'
import type { Api } from '#server/platform/http/mount.ts'
import { findPage } from '#server/platform/http/pagination.ts'
import { notFound } from '#server/platform/http/problems.ts'
import type { ServerContext } from '#server/platform/runtime/context.ts'
import * as repository from './repository.ts'

/** Mounts the read-only endpoints for service tokens and webhooks, which are modified by office actions. */
export function mountConnections(api: Api, { db }: ServerContext): void {
  api.mount(contract.listTokens, ({ query }) =>
    findPage(query, 'tokenId', page => repository.listServiceTokens(db, page)),
  )

  api.mount(contract.listWebhooks, ({ query }) =>
    findPage(query, 'webhookId', page => repository.listWebhooks(db, page)),
  )

  api.mount(contract.listDeliveries, async ({ params, query }) => {
    if (!(await repository.webhookExists(db, params.id))) throw notFound()
    const { items, next } = await findPage(query, 'id', page => repository.listWebhookDeliveries(db, params.id, page))
    return { items: items.map(({ id, ...delivery }) => delivery), next }
  })
}
