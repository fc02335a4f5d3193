import { profileFields } from '#contract/profile-rules.ts'
import type { BillingType, EmployeeStatus } from '#contract/values.ts'

/** A kept session ends this long after its last use. */
export const KEPT_SESSION_DAYS = 90
/** Any other session ends this long after the login: the app forgets it with its tab. */
export const SESSION_HOURS = 24
/** A mailed password works for this long. */
export const MAILED_PASSWORD_HOURS = 24

/** Whether a group of people has a division and this person none yet: the portal's hint then asks for it. */
export const isDivisionToSet = (
  employeeStatus: EmployeeStatus | null,
  billingType: BillingType | null,
  divisionId: number | null,
): boolean => divisionId === null && profileFields(employeeStatus, billingType).divisionId === 'required'
