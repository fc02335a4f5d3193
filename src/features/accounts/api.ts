import * as contract from '#contract/accounts.ts'
import type { ProfileValues } from '#contract/person.ts'
import * as personalDataContract from '#contract/personal-data.ts'
import type { EmployeeStatus, FormOfAddress } from '#contract/values.ts'
import { call } from '#lib/api-client.ts'

export const listDivisions = () => call(contract.listDivisions, {})
export const getWebUser = () => call(contract.getWebUser, {})
export const exportPersonalData = () => call(personalDataContract.exportPersonalData, {})
export const confirmAccount = (token: string) => call(contract.confirmAccount, { body: { token } })
export const describeLink = (token: string) => call(contract.describeLink, { body: { token } })
export const undoChange = (token: string) => call(contract.undoChange, { body: { token } })
export const deleteAccount = (password: string) => call(contract.deleteAccount, { body: { password } })

export const checkEmailPassword = (email: string, password: string, confirmPassword: string) =>
  call(contract.checkEmailPassword, { body: { email, password, confirmPassword } })

/** Removes null values; an unset year is 1900, as set by `completeProfile`. */
const bodyOf = (profile: ProfileValues) => ({
  ...profile,
  formOfAddress: profile.formOfAddress as FormOfAddress,
  employeeStatus: profile.employeeStatus as EmployeeStatus,
  yearOfBirth: Number(profile.yearOfBirth),
})

export const register = (profile: ProfileValues) => call(contract.register, { body: bodyOf(profile) })
/** @param password current password, required to change the e-mail address */
export const editWebUser = (profile: ProfileValues, password: string) =>
  call(contract.editWebUser, { body: { ...bodyOf(profile), password, confirmPassword: '' } })
