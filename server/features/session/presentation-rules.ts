import { ANONYMOUS_SESSION, type Session } from '#contract/session.ts'
import type { Outcome } from '#contract/values.ts'
import { isDivisionToSet, isProfileToComplete } from './rules.ts'
import type { SessionView } from './service.ts'

export const toSessionResponse = (
  token: string,
  { webUserId, profile, isKept, isInstructor, isPasswordToChange, isByCompany, rights, hasUnreadMessages }: SessionView,
): Session => ({
  id: token,
  webUserId,
  userName: profile.email,
  givenName: profile.givenName,
  familyName: profile.familyName,
  isInstructor,
  keepSession: isKept,
  employeeStatus: profile.employeeStatus ?? 0,
  isDivisionToSet: isDivisionToSet(profile),
  isProfileToComplete: isProfileToComplete(profile),
  hasUnreadMessages,
  isPasswordToChange,
  rights,
  ...(isByCompany && { isByCompany }),
  status: 'Ok',
  message: '',
})

export const toNoSessionResponse = (outcome: Outcome): Session => ({ ...ANONYMOUS_SESSION, ...outcome })
