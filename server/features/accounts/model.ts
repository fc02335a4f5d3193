import type { WebUser } from '#contract/accounts.ts'
import { FORMS_OF_ADDRESS } from '#contract/values.ts'
import type { StoredProfile } from './repository.ts'

/** The profile on the wire: 0 stands for a number that is not given, and passwords never leave the server. */
export const presentWebUser = (profile: StoredProfile): WebUser => ({
  ...profile,
  password: '',
  confirmPassword: '',
  formOfAddress: FORMS_OF_ADDRESS.find(known => known === profile.formOfAddress) ?? 'Frau',
  employeeStatus: profile.employeeStatus ?? 0,
  billingType: profile.billingType ?? 0,
  divisionId: profile.divisionId ?? 0,
  status: 'Ok',
  message: '',
})
