import { randomUUID } from 'node:crypto'
import type { ResponseOf } from '#contract/endpoint.ts'
import type { BookingOfPerson, getOfficePerson } from '#contract/office/people.ts'
import { isPrintableName } from '#contract/rules/name-letters.ts'
import {
  defaultBilling,
  isPhoneNumber,
  latestYearOfBirth,
  normalizePhone,
  YEAR_OF_BIRTH_UNSET,
} from '#contract/rules/profile-rules.ts'
import { PERSON, STORED_PROFILE_FIELDS, type StoredProfileField } from '#contract/tables/person.ts'
import { BILLING_TYPE, BOOKING_STATUS, EMPLOYEE_STATUS, FORMS_OF_ADDRESS } from '#contract/values.ts'
import { changeEmailOnBehalf } from '#server/features/accounts/email-service.ts'
import { findFormValidationData, isEmailInUse } from '#server/features/accounts/repository.ts'
import { toFreeUntil } from '#server/features/bookings/pricing-rules.ts'
import { listCourseFacts } from '#server/features/courses/repository.ts'
import { updatePricesOfVerifiedPeople } from '#server/features/money/price-repository.ts'
import { lockAccount } from '#server/features/session/account-repository.ts'
import type { OfficeContext } from '#server/office/frame/office-context-service.ts'
import type { Queryable } from '#server/platform/db/client.ts'
import { insertMail } from '#server/platform/outbox/outbox.ts'
import {
  findPersonnelNumberOwner,
  findProfileFields,
  insertPersonRow,
  listBookings,
  type PersonRow,
  updatePersonRow,
} from './person-repository.ts'

export type PersonValues = { [Field in StoredProfileField]?: string | number | null | undefined }

/** Placeholder for a missing e-mail address; it can neither receive e-mails nor log in. */
export const createEmailPlaceholder = (): string => `none ${randomUUID()}`

/**
 * Converts the profile fields of an action for storage.
 * @throws ActRejected if they are invalid
 */
export async function validatePersonValues(office: OfficeContext, act: PersonValues): Promise<PersonValues> {
  const values: PersonValues = {}
  for (const field of STORED_PROFILE_FIELDS) {
    const value = act[field]
    if (value === undefined) continue
    const { kind } = PERSON[field]
    const isText = ['line', 'text', 'phone', 'email', 'address'].includes(kind)
    if (kind === 'line' && !isPrintableName(String(value))) office.fail('failed.nameLetters', { name: String(value) })
    values[field] = isText ? String(value ?? '').trim() : value === YEAR_OF_BIRTH_UNSET ? null : value
    if (kind === 'phone' && values[field] !== '') {
      values[field] = normalizePhone(String(values[field]))
      if (!isPhoneNumber(String(values[field]))) office.fail('failed.phone')
    }
  }
  const { yearOfBirth: year, divisionId } = values
  const facts = await findFormValidationData(office.tx, typeof divisionId === 'number' ? divisionId : null)
  const isYear = (value: number) => value >= YEAR_OF_BIRTH_UNSET && value <= latestYearOfBirth(facts.currentYear)
  if (typeof year === 'number' && !isYear(year)) office.fail('failed.yearOfBirth')
  if (typeof divisionId === 'number' && !facts.isDivisionThere) office.fail('unknown.divisions')
  return values
}

const OWN_NUMBER: readonly unknown[] = [EMPLOYEE_STATUS.Employee, EMPLOYEE_STATUS.Apprentice, EMPLOYEE_STATUS.Pensioner]

/**
 * Verifies that a personnel number is unique.
 * @throws ActRejected if another account has the number
 */
async function requireOwnNumber(office: OfficeContext, values: PersonValues, webUserId: number | null): Promise<void> {
  const { personnelNumber, employeeStatus } = values
  if (!personnelNumber || !OWN_NUMBER.includes(employeeStatus)) return
  const holder = await findPersonnelNumberOwner(office.tx, String(personnelNumber), webUserId)
  if (holder) office.fail('failed.personnelNumberTaken', { number: String(personnelNumber) })
}

const statusOf = ({ employeeStatus }: PersonValues) =>
  Object.values(EMPLOYEE_STATUS).find(status => status === employeeStatus) ?? null
const billingOf = ({ billingType }: PersonValues) =>
  Object.values(BILLING_TYPE).find(type => type === billingType) ?? null

/**
 * Creates a person.
 * @throws ActRejected if another account has the e-mail address or personnel number
 */
export async function insertPerson(office: OfficeContext, values: PersonValues): Promise<number> {
  const email = values.email ? String(values.email) : createEmailPlaceholder()
  const billingType = defaultBilling(statusOf(values), billingOf(values))
  if (values.email && (await isEmailInUse(office.tx, email))) office.fail('failed.emailTaken')
  await requireOwnNumber(office, values, null)
  const id = await insertPersonRow(office.tx, { ...values, billingType, email })
  if (values.email) await insertMail(office.tx, { webUserId: id, kind: 'welcome-import', payload: {} })
  return id
}

/**
 * Updates a person.
 * @throws ActRejected if another account has the e-mail address or personnel number
 */
export async function updatePerson(
  office: OfficeContext,
  webUserId: number,
  { email, ...values }: PersonValues,
): Promise<void> {
  if ('personnelNumber' in values || 'employeeStatus' in values) {
    const changed = { ...(await findProfileFields(office.tx, webUserId)), ...values }
    await requireOwnNumber(office, changed, webUserId)
    // The billing type depends on the status group.
    if ('employeeStatus' in values && !('billingType' in values))
      values.billingType = defaultBilling(statusOf(changed), billingOf(changed))
  }
  await updatePersonRow(office.tx, webUserId, values)
  await updatePricesOfVerifiedPeople(office.tx, [webUserId])
  const account = await lockAccount(office.tx, webUserId)
  if (account === null) return office.fail('failed.deleted')
  const hasAddress = account.email.includes('@')
  if (email === undefined || email === account.email || (email === '' && !hasAddress)) return
  if (email && (await isEmailInUse(office.tx, String(email), webUserId))) office.fail('failed.emailTaken')
  const isChanged = await changeEmailOnBehalf(office.tx, account, email ? String(email) : createEmailPlaceholder())
  if (!isChanged) office.fail('failed.emailTaken')
}

/** A person's past and current bookings, each with the end of free cancellation. */
export async function listBookingsWithCancellationDays(
  db: Queryable,
  region: string,
  webUserId: number,
): Promise<BookingOfPerson[]> {
  const bookings = await listBookings(db, webUserId)
  return Promise.all(
    bookings.map(async ({ firstLessonOn, ...booking }) => {
      if (booking.bookingStatus !== BOOKING_STATUS.Booked) return { ...booking, freeUntil: null }
      const [facts] = await listCourseFacts(db, region, booking.courseId)
      return { ...booking, freeUntil: facts ? toFreeUntil(facts, firstLessonOn) : null }
    }),
  )
}

type Profile = NonNullable<ResponseOf<typeof getOfficePerson>['profile']>

/** Replaces health insurance numbers in data shown to users without the `billing` permission. */
export const MASKED_INSURANCE_NUMBER = '•••'

/**
 * Profile as returned by the API: 0 for a missing number, 1900 for a missing year. The health insurance number is
 * visible only to users with the `billing` permission (Art. 9 GDPR).
 */
export const toProfileResponse = (
  { bkkNumber, ...fields }: Awaited<ReturnType<typeof findProfileFields>>,
  isForBilling: boolean,
): Profile => ({
  ...fields,
  ...(isForBilling && { bkkNumber }),
  formOfAddress: FORMS_OF_ADDRESS.find(given => given === fields.formOfAddress) ?? null,
  employeeStatus: fields.employeeStatus ?? 0,
  billingType: fields.billingType ?? 0,
  divisionId: fields.divisionId ?? 0,
  yearOfBirth: fields.yearOfBirth ?? YEAR_OF_BIRTH_UNSET,
})

/** Data about a person that API clients need for billing. */
export const toPayerResponse = (
  { id, name, email, division, isVerified, isOnPayroll }: PersonRow,
  {
    employeeStatus,
    personnelNumber,
    ownerPersonnelNumber,
    billingType,
    street,
    zip,
    city,
  }: Awaited<ReturnType<typeof findProfileFields>>,
) => ({
  id,
  name,
  email,
  division,
  isVerified,
  isOnPayroll,
  payer: { employeeStatus, personnelNumber, ownerPersonnelNumber, billingType, street, zip, city },
})
