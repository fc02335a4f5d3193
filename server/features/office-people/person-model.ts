import type { ResponseOf } from '#contract/endpoint.ts'
import type { getOfficePerson } from '#contract/office-people.ts'
import { YEAR_OF_BIRTH_UNSET } from '#contract/profile-rules.ts'
import { FORMS_OF_ADDRESS } from '#contract/values.ts'
import type { findStoredFields } from './person-repository.ts'

type Profile = NonNullable<ResponseOf<typeof getOfficePerson>['profile']>

/** Replaces a number of the health insurance for readers without the right `billing`. */
export const MASKED = '•••'

/**
 * A person's fields on the wire: 0 stands for a number that is not given, 1900 for a year. The number of the health insurance is
 * read only by who does the billing (Art. 9 GDPR).
 */
export const presentProfile = (
  { bkkNumber, ...fields }: Awaited<ReturnType<typeof findStoredFields>>,
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
