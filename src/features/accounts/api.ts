import {
  checkEmailPassword,
  confirmAccount,
  deleteAccount,
  describeLink,
  editWebUser,
  getWebUser,
  listDivisions,
  register,
  undoChange,
} from '#contract/accounts.ts'
import { exportPersonalData } from '#contract/personal-data.ts'
import type { ProfileValues } from '#contract/profile-rules.ts'
import type { BillingType, EmployeeStatus, FormOfAddress } from '#contract/values.ts'
import { call } from '#lib/api-client.ts'

export const fetchDivisions = () => call(listDivisions, {})
export const fetchWebUser = () => call(getWebUser, {})
export const fetchPersonalData = () => call(exportPersonalData, {})
export const sendConfirmation = (token: string) => call(confirmAccount, { body: { token } })
export const fetchMailedLink = (token: string) => call(describeLink, { body: { token } })
export const sendUndo = (token: string) => call(undoChange, { body: { token } })
export const sendDeletion = (password: string) => call(deleteAccount, { body: { password } })

export const sendEmailPasswordCheck = (email: string, password: string, confirmPassword: string) =>
  call(checkEmailPassword, { body: { email, password, confirmPassword } })

/** Null values are dropped, and an unset year is 1900: `completeProfile` has seen to that. */
const bodyOf = (profile: ProfileValues) => ({
  ...profile,
  formOfAddress: profile.formOfAddress as FormOfAddress,
  employeeStatus: profile.employeeStatus as EmployeeStatus,
  billingType: profile.billingType as BillingType | null,
  yearOfBirth: Number(profile.yearOfBirth),
})

export const sendRegistration = (profile: ProfileValues) => call(register, { body: bodyOf(profile) })
/** @param password the present one, for a new e-mail address */
export const sendProfile = (profile: ProfileValues, password: string) =>
  call(editWebUser, { body: { ...bodyOf(profile), password, confirmPassword: '' } })
