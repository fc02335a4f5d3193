import type { ProfileInput } from '#contract/person.ts'
import { checkProfile, profileFields, YEAR_OF_BIRTH_UNSET } from '#contract/profile-rules.ts'

/** A kept session ends this long after its last use. See docs/decisions/0006. */
export const KEPT_SESSION_DAYS = 90
/** … and this long after its login at the latest. */
export const KEPT_SESSION_AT_MOST_DAYS = 365
/** Any other session ends this long after the login: the app forgets it with its tab. */
export const SESSION_HOURS = 24
/** So long after a login by the company rights that its claims give work: then it is asked again. */
export const RIGHTS_BY_CLAIM_HOURS = 12
/** A mailed password works for this long. */
export const MAILED_PASSWORD_HOURS = 24

/** Whether a person's group has a division and the person none yet: the portal's hint then asks for it. */
export const isDivisionToSet = ({ employeeStatus, billingType, divisionId }: ProfileInput): boolean =>
  (divisionId ?? null) === null && profileFields(employeeStatus ?? null, billingType ?? null).divisionId === 'required'

/** Whether a profile lacks what its group requires, as one from an import may. How the person is addressed keeps nobody from anything. */
export const isProfileToComplete = (profile: ProfileInput): boolean =>
  checkProfile(
    {
      ...profile,
      formOfAddress: profile.formOfAddress || 'Divers',
      yearOfBirth: profile.yearOfBirth === YEAR_OF_BIRTH_UNSET ? null : (profile.yearOfBirth ?? null),
    },
    // Only what is missing counts here, and no year is too high for that.
    { currentYear: Number.POSITIVE_INFINITY, step: 'profile' },
  ).some(({ key }) => key === 'profile_field_mandatory')

/** So long a session is good for the desk after a passkey was shown, or after the last thing done there. */
export const CONFIRMED_MINUTES = 15
/** … and at most so long after a passkey was shown, however busy the desk is. */
export const CONFIRMED_AT_MOST_HOURS = 12

/** For acts that give access: the age from which a shown passkey no longer counts. */
export const FRESH_PASSKEY_SECONDS = 60
