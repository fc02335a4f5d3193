import * as contract from '#contract/office-money.ts'
import * as proofs from '#server/features/money/proof-repository.ts'
import { countWorkingDays } from '#server/features/money/proof-rules.ts'
import * as repository from '#server/features/money/repository.ts'
import type { Api } from '#server/http/mount.ts'
import { findPage } from '#server/http/pagination.ts'
import { notFound } from '#server/http/problems.ts'
import type { ServerContext } from '#server/runtime/context.ts'
import { getOfficeMoney, getSettlement } from './service.ts'

const isKnown = (id: number | null): id is number => id !== null

/** Ledger, settlements and proofs for the right `billing`. */
export function mountOfficeMoney(api: Api, { db, config }: ServerContext): void {
  const { region } = config

  api.mount(contract.getOfficeMoney, ({ query }) => getOfficeMoney(db, query.seasonId ?? null, region))

  api.mount(contract.listLedger, async ({ query, shows }) => {
    const { person = null, course = null } = query
    const { items, next } = await findPage(query, 'id', page => repository.listLedger(db, { person, course, ...page }))
    shows(items.map(({ webUserId }) => webUserId).filter(isKnown))
    return { items: items.map(({ cents, ...row }) => ({ ...row, amount: cents / 100, batchId: null })), next }
  })

  api.mount(contract.getSettlement, async ({ params: { id }, shows }) => {
    const settlement = await getSettlement(db, id, region)
    if (settlement === null) throw notFound()
    shows(settlement.lines.map(({ webUserId }) => webUserId))
    return settlement
  })

  api.mount(contract.listOfficeProofs, async ({ query, shows }) => {
    const { state = null } = query
    const { items, next } = await findPage(query, 'id', page => proofs.listProofs(db, { state, ...page }))
    shows(items.map(({ webUserId }) => webUserId))
    return { items: items.map(proof => ({ ...proof, workingDays: countWorkingDays(region, proof) })), next }
  })

  api.mount(contract.getProofFile, async ({ params: { id }, shows }) => {
    const file = await proofs.findProofFile(db, id)
    if (file === null) throw notFound()
    shows([file.webUserId])
    return { fileName: file.fileName, content: file.content, mediaType: file.mediaType }
  })
}
