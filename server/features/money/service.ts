import type { ResponseOf } from '#contract/endpoint.ts'
import type * as contract from '#contract/money.ts'
import type { Language } from '#contract/values.ts'
import type { Database } from '#server/db/client.ts'
import { translate } from '#server/texts/translate.ts'
import { listEntryStates } from './batch-repository.ts'
import { listPayables } from './payable-repository.ts'
import { findIban, upsertIban } from './payout-repository.ts'
import * as repository from './repository.ts'
import { routeOf } from './rules.ts'

const sumCents = (entries: readonly { cents: number }[]) => entries.reduce((sum, { cents }) => sum + cents, 0)

/** State of entries in a batch that is not paid yet. */
const SENT_STATES = { payroll: 'payroll', invoice: 'invoiced', refund: 'settled' } as const

/** Costs of a person by season and course: ledger entries, and the agreed amounts of courses that are not settled yet. */
export async function getOwnMoney(
  db: Database,
  webUserId: number,
  language: Language,
): Promise<ResponseOf<typeof contract.listOwnMoney>> {
  const entries = await repository.listOwnEntries(db, webUserId)
  const batched = new Map((await listEntryStates(db, webUserId)).map(one => [one.entryId, one]))
  const iban = await findIban(db, webUserId)
  const payable = (await listPayables(db, [webUserId])).find(one => one.webUserId === webUserId)
  const route = payable ? routeOf(payable) : null
  const stateOf = (ofCourse: readonly repository.OwnEntry[]) => {
    const isOpen = ofCourse.some(({ id }) => id === null)
    const free = ofCourse.filter(({ id }) => id !== null && !batched.has(id))
    const isOwed = free.length > 0 && sumCents(free) !== 0
    if (isOwed && route?.kind === 'held')
      return { state: 'held' as const, cause: route.cause, help: translate(language, `money.held.${route.cause}`) }
    if (isOpen) return { state: 'open' as const, cause: '', help: '' }
    const batches = ofCourse.flatMap(({ id }) => (id === null ? [] : (batched.get(id) ?? [])))
    if (isOwed || batches.length === 0) return { state: 'settled' as const, cause: '', help: '' }
    const isPaid = batches.every(one => one.isPaid)
    const state = isPaid ? ('paid' as const) : SENT_STATES[batches.at(-1)?.kind ?? 'payroll']
    return { state, cause: '', help: '' }
  }
  const seasons = [...Map.groupBy(entries, ({ seasonId }) => seasonId)].map(([seasonId, ofSeason]) => ({
    seasonId,
    name: ofSeason[0]?.season ?? '',
    name2: ofSeason[0]?.season2 ?? '',
    courses: [...Map.groupBy(ofSeason, ({ courseId }) => courseId)].map(([courseId, ofCourse]) => ({
      courseId,
      number: ofCourse[0]?.number ?? '',
      name: ofCourse[0]?.name ?? '',
      name2: ofCourse[0]?.name2 ?? '',
      lines: ofCourse.map(({ kind, cents, reason, at }) => ({
        kind,
        amount: cents / 100,
        text: [translate(language, `office.entry.${kind}`), reason].filter(Boolean).join(': '),
        at,
      })),
      sum: sumCents(ofCourse) / 100,
      ...stateOf(ofCourse),
    })),
  }))
  return { balance: sumCents(entries.filter(({ id }) => id !== null)) / 100, iban, seasons }
}

/** Notes where a refund is to be paid. @returns false: there is none */
export async function saveIban(db: Database, webUserId: number, iban: string): Promise<boolean> {
  const payable = (await listPayables(db, [webUserId])).find(one => one.webUserId === webUserId)
  const route = payable && routeOf(payable)
  const isWanted = route?.kind === 'payout' || (route?.kind === 'held' && route.cause === 'iban')
  if (isWanted) await upsertIban(db, webUserId, iban)
  return isWanted
}
