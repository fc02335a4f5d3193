import type { ItemOf, ResponseOf } from '#contract/endpoint.ts'
import type { listOwnMoney, listOwnProofs } from '#contract/endpoints/money.ts'
import { EMPLOYEE_STATUS } from '#contract/values.ts'
import { useSession } from '#features/session/store.ts'
import { api } from '#lib/api.ts'
import { allItemsHaveIds, createResource } from '#lib/resource.ts'

/** Groups whose fee can be waived by regular attendance. All others pay in any case. */
const MAY_ATTEND_FREE: readonly number[] = [EMPLOYEE_STATUS.Employee, EMPLOYEE_STATUS.Pensioner]
export const useMayAttendFree = (): boolean =>
  useSession(({ session }) => session !== null && MAY_ATTEND_FREE.includes(session.employeeStatus))

export type OwnAttendanceProof = ItemOf<typeof listOwnProofs>
export type OwnCosts = ResponseOf<typeof listOwnMoney>
export type SeasonCosts = OwnCosts['seasons'][number]
export type CourseCost = SeasonCosts['courses'][number]
type Costs = OwnCosts & { proofs: OwnAttendanceProof[] }

/**
 * The costs of the user's courses, and the absence proofs that the user has uploaded. Texts are in the language of the
 * request.
 */
export const useCosts = createResource<Costs>({
  of: 'person',
  key: 'costs',
  empty: { balance: 0, iban: '', invoices: [], seasons: [], proofs: [] },
  complete: kept => ({ ...kept, invoices: kept.invoices ?? [] }),
  fetch: async ({ signal }) => {
    const [money, { items }] = await Promise.all([api.listOwnMoney({ signal }), api.listOwnProofs({ signal })])
    return { ...money, proofs: items }
  },
  isUsable: ({ seasons, proofs }) => Array.isArray(seasons) && allItemsHaveIds(proofs),
})
