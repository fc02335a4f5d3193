import type { StoredProfileField } from '#contract/tables/person.ts'
import { EMPLOYEE_STATUS, type Language } from '#contract/values.ts'
import { isEmailInUse } from '#server/features/accounts/repository.ts'
import { updatePricesOfVerifiedPeople } from '#server/features/money/price-repository.ts'
import { createAuditAnchor } from '#server/office/frame/audit-anchor-service.ts'
import type { OfficeContext } from '#server/office/frame/office-context-service.ts'
import { grantRight, revokeRight } from '#server/office/frame/rights-service.ts'
import { runActSteps } from '#server/office/frame/service.ts'
import {
  findPersonnelNumberOwner,
  findProfileFields,
  insertPersonRow,
  updatePersonRow,
} from '#server/office/people/person-repository.ts'
import { createEmailPlaceholder } from '#server/office/people/person-service.ts'
import type { Queryable } from '#server/platform/db/client.ts'
import type { ServerContext } from '#server/platform/runtime/context.ts'
import * as repository from './repository.ts'
import type { CompanyPerson } from './rules.ts'

type Subject = { issuer: string; subject: string }
type LoginResult = { outcome: 'Ok'; webUserId: number } | { outcome: repository.LoginRefusal }
type Found = { account: repository.CompanyAccount | null; how: 'joined' | 'address' | 'number' | 'new' }

/**
 * Finds the account by subject, falling back to the verified e-mail address, then to the verified personnel number. See
 * docs/decisions/0095.
 */
async function findAccount(tx: Queryable, person: CompanyPerson, { issuer, subject }: Subject): Promise<Found> {
  const joined = await repository.findLinkedAccount(tx, issuer, subject)
  if (joined) return { account: joined, how: 'joined' }
  const byAddress = person.email ? await repository.findAccountByEmail(tx, person.email) : null
  if (byAddress?.personnelNumber === person.personnelNumber) return { account: byAddress, how: 'address' }
  const holder = await findPersonnelNumberOwner(tx, person.personnelNumber, null)
  const byNumber = holder?.isKnown ? await repository.findAccountById(tx, holder.id) : null
  if (byNumber) return { account: byNumber, how: 'number' }
  return byAddress ? { account: byAddress, how: 'address' } : { account: null, how: 'new' }
}

/** Profile values from the claims. Missing claims leave a value unchanged. */
async function findValues(
  tx: Queryable,
  person: CompanyPerson,
): Promise<Partial<Record<StoredProfileField, string | number>>> {
  const { personnelNumber, givenName, familyName, divisionId, employeeStatus } = person
  const division = divisionId === undefined ? null : await repository.findDivision(tx, divisionId)
  return {
    personnelNumber,
    ...(givenName && { givenName }),
    ...(familyName && { familyName }),
    ...(division !== null && { divisionId: division }),
    ...(employeeStatus && { employeeStatus }),
  }
}

/** Synchronizes the rights that single sign-on claims grant; rights granted by staff stay unchanged. */
async function keepRights(
  office: OfficeContext,
  webUserId: number,
  email: string,
  rights: CompanyPerson['rights'],
): Promise<void> {
  const held = await repository.listRights(office.tx, webUserId)
  const wanted = rights ?? []
  const newOnes = wanted.filter(right => !held.some(one => one.right === right))
  for (const right of newOnes) await grantRight(office, email, right)
  for (const { right, isByClaim } of held)
    if (isByClaim && !wanted.includes(right)) await revokeRight(office, email, right)
  await repository.updateRightsByClaim(office.tx, webUserId, newOnes)
}

export function createCompanyLogin({ db, config, log }: ServerContext) {
  const anchorAuditLog = createAuditAnchor({ db, config, log })

  /**
   * Logs in a person whom the provider has authenticated, creating or updating the account. Changes are recorded in the
   * audit log.
   */
  const logInPerson = async (person: CompanyPerson, subject: Subject, language: Language): Promise<LoginResult> => {
    const done = await db.transaction(async tx => {
      await repository.lockPersonnelNumber(tx, person.personnelNumber)
      const { account, how } = await findAccount(tx, person, subject)
      if (account?.state === 'locked') return { result: { outcome: 'locked' } as const, isOnRecord: false }
      if (account?.hasLeft && !(await repository.isOnHrList(tx, person.personnelNumber)))
        return { result: { outcome: 'left' } as const, isOnRecord: false }
      // Companies reuse e-mail addresses. If the account with this e-mail address has a different verified personnel
      // number, it belongs to another person, or staff must correct the number.
      if (
        account &&
        how === 'address' &&
        account.isNumberVerified &&
        account.personnelNumber !== person.personnelNumber
      ) {
        const { email, personnelNumber } = person
        await repository.upsertPersonnelNumberConflict(tx, { webUserId: account.id, email, personnelNumber })
        return { result: { outcome: 'otherNumber' } as const, isOnRecord: false }
      }
      // The login is refused if another, verified account has this personnel number.
      const holder = await findPersonnelNumberOwner(tx, person.personnelNumber, account?.id ?? null)
      if (holder?.isKnown) return { result: { outcome: 'taken' } as const, isOnRecord: false }

      const values = await findValues(tx, person)
      const address = account?.email ?? ''
      const isFree = person.email !== '' && !(await isEmailInUse(tx, person.email, account?.id ?? null))
      const own = isFree ? person.email : createEmailPlaceholder()
      const stored = account ? await findProfileFields(tx, account.id) : null
      const status = stored?.employeeStatus
      const isOutside = status !== EMPLOYEE_STATUS.Employee && status !== EMPLOYEE_STATUS.Apprentice
      if (values.employeeStatus === undefined && isOutside) values.employeeStatus = EMPLOYEE_STATUS.Employee
      const before = new Map<string, unknown>(Object.entries(stored ?? {}))
      const changed = Object.entries(values).filter(([field, value]) => before.get(field) !== value)
      const held = account ? await repository.listRights(tx, account.id) : []
      const byClaim = held.filter(one => one.isByClaim).map(one => one.right)
      const isRightsNews =
        (person.rights ?? []).some(right => !held.some(one => one.right === right)) ||
        byClaim.some(right => !person.rights?.includes(right))

      const work = async (office?: OfficeContext): Promise<number> => {
        if (account && how === 'number' && address !== person.email)
          await repository.deleteOtherCredentials(tx, account.id, own)
        const id = account?.id ?? (await insertPersonRow(tx, { ...values, email: own }, true))
        const hasNewAddress = how === 'number' || account === null
        const email = hasNewAddress ? (address === person.email && account ? address : own) : address
        if (account && changed.length > 0) await updatePersonRow(tx, id, Object.fromEntries(changed))
        await repository.updatePersonVerifiedByCompany(tx, id, person.email)
        await updatePricesOfVerifiedPeople(tx, [id])
        await repository.upsertLinkedAccount(tx, subject.issuer, subject.subject, id)
        if (office) {
          await keepRights(office, id, email, person.rights)
          office.addAffected({ people: [id] })
          office.note({ objects: { webUserId: id }, after: { how, fields: changed.map(([field]) => field).sort() } })
        } else await repository.updateRightsByClaim(tx, id, [])
        return id
      }
      if (how === 'joined' && changed.length === 0 && !isRightsNews)
        return { result: { outcome: 'Ok', webUserId: await work() } as const, isOnRecord: false }
      let webUserId = 0
      await runActSteps(
        tx,
        { kind: 'company-login' },
        { actor: { kind: 'command', rights: [] }, language, config },
        async office => {
          webUserId = await work(office)
          return undefined
        },
      )
      return { result: { outcome: 'Ok', webUserId } as const, isOnRecord: true }
    })
    if (done.isOnRecord) await anchorAuditLog()
    return done.result
  }
  return { logInPerson }
}
