import type { RetainedDataItem, WebUser } from '#contract/endpoints/accounts.ts'
import type { PersonalData } from '#contract/endpoints/personal-data.ts'
import { YEAR_OF_BIRTH_UNSET } from '#contract/rules/profile-rules.ts'
import { FORMS_OF_ADDRESS, type Language } from '#contract/values.ts'
import type { StoredProfile } from '#server/features/session/account-repository.ts'
import { toDateTimeValue } from '#server/platform/db/date-time.ts'
import { translate } from '#server/platform/texts/translate.ts'
import type { RetainedData } from './deletion-repository.ts'

const formOfAddressOf = (profile: StoredProfile) =>
  FORMS_OF_ADDRESS.find(given => given === profile.formOfAddress) ?? null

/** Profile as returned by the API. Missing numbers are 0; passwords are always empty. */
export const toWebUserResponse = (profile: StoredProfile): WebUser => ({
  ...profile,
  password: '',
  confirmPassword: '',
  // Both the response and the form require a form of address.
  formOfAddress: formOfAddressOf(profile) ?? 'Frau',
  employeeStatus: profile.employeeStatus ?? 0,
  billingType: profile.billingType ?? 0,
  divisionId: profile.divisionId ?? 0,
  status: 'Ok',
  message: '',
})

/** Profile for the personal data export; missing values are null. */
export const toExportedProfile = (profile: StoredProfile): PersonalData['profile'] => ({
  ...profile,
  formOfAddress: formOfAddressOf(profile),
  yearOfBirth: profile.yearOfBirth === YEAR_OF_BIRTH_UNSET ? null : profile.yearOfBirth,
})

/** Data retained after account deletion, in the person's language. */
export const toRetainedDataResponse = (remains: RetainedData, language: Language): RetainedDataItem[] =>
  (['billing', 'participation', 'mail'] as const).flatMap(kind => {
    const until = remains[kind]
    const say = (key: string) => translate(language, `accounts.deletion.kept.${kind}.${key}`)
    return until === null ? [] : [{ kind, what: say('what'), why: say('why'), until: toDateTimeValue(until) }]
  })
