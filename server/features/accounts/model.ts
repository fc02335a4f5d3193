import type { WebUser } from '#contract/accounts.ts'
import type { PersonalData } from '#contract/personal-data.ts'
import { YEAR_OF_BIRTH_UNSET } from '#contract/profile-rules.ts'
import { FORMS_OF_ADDRESS } from '#contract/values.ts'
import type { StoredProfile } from './repository.ts'

const formOfAddressOf = (profile: StoredProfile) =>
  FORMS_OF_ADDRESS.find(known => known === profile.formOfAddress) ?? 'Frau'

/** The profile on the wire: 0 stands for a number that is not given, and passwords never leave the server. */
export const presentWebUser = (profile: StoredProfile): WebUser => ({
  ...profile,
  password: '',
  confirmPassword: '',
  formOfAddress: formOfAddressOf(profile),
  employeeStatus: profile.employeeStatus ?? 0,
  billingType: profile.billingType ?? 0,
  divisionId: profile.divisionId ?? 0,
  status: 'Ok',
  message: '',
})

/** The profile as its owner takes it along: what is not known is null. */
export const presentOwnProfile = (profile: StoredProfile): PersonalData['profile'] => ({
  ...profile,
  formOfAddress: formOfAddressOf(profile),
  yearOfBirth: profile.yearOfBirth === YEAR_OF_BIRTH_UNSET ? null : profile.yearOfBirth,
})
