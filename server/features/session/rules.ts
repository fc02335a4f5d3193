import type { ProfileInput } from '#contract/person.ts'
import { checkProfile, profileFields, YEAR_OF_BIRTH_UNSET } from '#contract/profile-rules.ts'

/** Days after the last use until a persistent session expires. See docs/decisions/0006. */
export const PERSISTENT_SESSION_DAYS = 90
/** Maximum lifetime of a persistent session in days after the login. */
export const PERSISTENT_SESSION_MAX_DAYS = 365
/** Lifetime of any other session; the app deletes its token when the tab is closed. */
export const SESSION_HOURS = 24
/** Validity of rights granted by single sign-on claims; afterwards a new login is required. */
export const RIGHTS_BY_CLAIM_HOURS = 12
/** Validity of a mailed password. */
export const MAILED_PASSWORD_HOURS = 24

/** Whether the person's group has a division that is not set yet, for which the portal shows a hint. */
export const isDivisionToSet = ({ employeeStatus, billingType, divisionId }: ProfileInput): boolean =>
  (divisionId ?? null) === null && profileFields(employeeStatus ?? null, billingType ?? null).divisionId === 'required'

/** Whether a profile lacks required fields, as imported ones may. The form of address is not required. */
export const isProfileToComplete = (profile: ProfileInput): boolean =>
  checkProfile(
    {
      ...profile,
      formOfAddress: profile.formOfAddress || 'Divers',
      yearOfBirth: profile.yearOfBirth === YEAR_OF_BIRTH_UNSET ? null : (profile.yearOfBirth ?? null),
    },
    // Only missing values matter here, so the year is not limited.
    { currentYear: Number.POSITIVE_INFINITY, step: 'profile' },
  ).some(({ key }) => key === 'profile_field_mandatory')

/** Validity of a passkey confirmation at the desk, extended by each use of the desk. */
export const CONFIRMED_MINUTES = 15
/** Maximum validity of a passkey confirmation, regardless of use. */
export const CONFIRMED_AT_MOST_HOURS = 12

/** Maximum age of a passkey confirmation for acts that grant access. */
export const FRESH_PASSKEY_SECONDS = 60
