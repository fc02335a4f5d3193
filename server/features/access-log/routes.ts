import { listOwnReads } from '#contract/office/office.ts'
import type { Api } from '#server/platform/http/mount.ts'
import { findPage } from '#server/platform/http/pagination.ts'
import type { ServerContext } from '#server/platform/runtime/context.ts'
import * as repository from './repository.ts'

export function mountAccessLog(api: Api, { db }: ServerContext): void {
  api.mount(listOwnReads, async ({ query, session }) => {
    const { items, next } = await findPage(query, 'id', page => repository.listOwnDataAccesses(db, session.id, page))
    return { items: items.map(({ id, ...read }) => read), next }
  })
}
