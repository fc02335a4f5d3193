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
/** `how` the account was found: it is linked, or has the person's address or personnel number. */
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

/** Why the person may not log in; null if they may. */
async function findRefusal(
  tx: Queryable,
  { email, personnelNumber }: CompanyPerson,
  { account, how }: Found,
): Promise<repository.LoginRefusal | null> {
  if (account?.state === 'locked') return 'locked'
  if (account?.hasLeft && !(await repository.isOnHrList(tx, personnelNumber))) return 'left'
  // Companies reuse e-mail addresses. If the account with this e-mail address has a different verified personnel number,
  // it belongs to another person, or staff must correct the number.
  if (account && how === 'address' && account.isNumberVerified && account.personnelNumber !== personnelNumber) {
    await repository.upsertPersonnelNumberConflict(tx, { webUserId: account.id, email, personnelNumber })
    return 'otherNumber'
  }
  const holder = await findPersonnelNumberOwner(tx, personnelNumber, account?.id ?? null)
  return holder?.isKnown ? 'taken' : null
}

type Changes = {
  /** values of a new account; of an existing one only those that differ */
  values: Partial<Record<StoredProfileField, string | number>>
  /** e-mail address of the account after the login */
  email: string
  /** whether the account was found by its number alone and gets the person's address */
  isTakenOver: boolean
  areRightsNew: boolean
}

/** Compares the account with the claims. */
async function findChanges(tx: Queryable, person: CompanyPerson, { account, how }: Found): Promise<Changes> {
  const values = await findValues(tx, person)
  const stored = account ? await findProfileFields(tx, account.id) : null
  const status = stored?.employeeStatus
  const isOutside = status !== EMPLOYEE_STATUS.Employee && status !== EMPLOYEE_STATUS.Apprentice
  if (values.employeeStatus === undefined && isOutside) values.employeeStatus = EMPLOYEE_STATUS.Employee
  const before = new Map<string, unknown>(Object.entries(stored ?? {}))
  const rights = person.rights ?? []
  const held = account ? await repository.listRights(tx, account.id) : []
  const isTakenOver = account !== null && how === 'number' && account.email !== person.email
  const isFree = person.email !== '' && !(await isEmailInUse(tx, person.email, account?.id ?? null))
  const own = isFree ? person.email : createEmailPlaceholder()
  return {
    values: Object.fromEntries(Object.entries(values).filter(([field, value]) => before.get(field) !== value)),
    email: account && !isTakenOver ? account.email : own,
    isTakenOver,
    areRightsNew:
      rights.some(right => !held.some(one => one.right === right)) ||
      held.some(({ right, isByClaim }) => isByClaim && !rights.includes(right)),
  }
}

/** Creates or updates the account and links it to the provider. @returns its id */
async function applyChanges(
  tx: Queryable,
  person: CompanyPerson,
  { issuer, subject }: Subject,
  account: repository.CompanyAccount | null,
  { values, email, isTakenOver }: Changes,
): Promise<number> {
  if (account && isTakenOver) await repository.deleteOtherCredentials(tx, account.id, email)
  const id = account?.id ?? (await insertPersonRow(tx, { ...values, email }, true))
  if (account && Object.keys(values).length > 0) await updatePersonRow(tx, id, values)
  await repository.updatePersonVerifiedByCompany(tx, id, person.email)
  await updatePricesOfVerifiedPeople(tx, [id])
  await repository.upsertLinkedAccount(tx, issuer, subject, id)
  return id
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
    let isRecorded = false
    const result = await db.transaction(async (tx): Promise<LoginResult> => {
      isRecorded = false
      await repository.lockPersonnelNumber(tx, person.personnelNumber)
      const found = await findAccount(tx, person, subject)
      const { account, how } = found
      const refusal = await findRefusal(tx, person, found)
      if (refusal) return { outcome: refusal }
      const changes = await findChanges(tx, person, found)
      const fields = Object.keys(changes.values).sort()
      let webUserId = 0
      if (how === 'joined' && fields.length === 0 && !changes.areRightsNew) {
        webUserId = await applyChanges(tx, person, subject, account, changes)
        await repository.updateRightsByClaim(tx, webUserId, [])
        return { outcome: 'Ok', webUserId }
      }
      await runActSteps(
        tx,
        { kind: 'company-login' },
        { actor: { kind: 'command', rights: [] }, language, config },
        async office => {
          webUserId = await applyChanges(tx, person, subject, account, changes)
          await keepRights(office, webUserId, changes.email, person.rights)
          office.addAffected({ people: [webUserId] })
          office.note({ objects: { webUserId }, after: { how, fields } })
          return undefined
        },
      )
      isRecorded = true
      return { outcome: 'Ok', webUserId }
    })
    if (isRecorded) await anchorAuditLog()
    return result
  }
  return { logInPerson }
}
