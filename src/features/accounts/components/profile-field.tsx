import type { InputHTMLAttributes } from 'react'
import { useTranslation } from 'react-i18next'
import { ChoiceField } from '#components/choice-field.tsx'
import { TextField } from '#components/text-field.tsx'
import { billingChoices } from '#contract/billing-rules.ts'
import type { ProfileInput } from '#contract/profile-rules.ts'
import { type BillingType, EMPLOYEE_STATUS, type EmployeeStatus, FORMS_OF_ADDRESS } from '#contract/values.ts'
import type { FormField } from '../form-model.ts'
import { useDivisions } from '../store.ts'

type Props = {
  field: FormField
  input: ProfileInput
  isRequired: boolean
  error: string | undefined
  onChange: <Field extends FormField>(field: Field, value: ProfileInput[Field]) => void
  onBlur: () => void
}

const PHONE = { type: 'tel', autoComplete: 'tel' } as const

/** What phones and password managers fill in, and the keyboard that fits. */
const ATTRIBUTES: Partial<Record<FormField, InputHTMLAttributes<HTMLInputElement>>> = {
  email: { type: 'email', autoComplete: 'email', autoCapitalize: 'none', spellCheck: false },
  title: { autoComplete: 'honorific-prefix' },
  givenName: { autoComplete: 'given-name' },
  familyName: { autoComplete: 'family-name' },
  mobilePhone: PHONE,
  privatePhone: PHONE,
  businessPhone: PHONE,
  street: { autoComplete: 'street-address' },
  zip: { autoComplete: 'postal-code' },
  city: { autoComplete: 'address-level2' },
  yearOfBirth: { autoComplete: 'bday-year', inputMode: 'numeric' },
}

/** One field of a profile: a text, or a choice where only some values exist. */
export function ProfileField({ field, input, isRequired, error, onChange, onBlur }: Props) {
  const { t } = useTranslation('accounts')
  const divisions = useDivisions(state => state.divisions)
  const common = {
    label: t(`field.${field}`),
    name: field,
    value: String(input[field] ?? ''),
    required: isRequired,
    error,
    onBlur,
  }
  switch (field) {
    case 'formOfAddress':
      return (
        <ChoiceField
          {...common}
          options={FORMS_OF_ADDRESS.map(value => ({ value, label: t(`formOfAddress.${value}`) }))}
          onChange={value => onChange(field, value)}
        />
      )
    case 'employeeStatus':
      return (
        <ChoiceField
          {...common}
          placeholder={t('choose')}
          options={Object.values(EMPLOYEE_STATUS).map(value => ({
            value: String(value),
            label: t(`employeeStatus.${value}`),
          }))}
          onChange={value => onChange(field, Number(value) as EmployeeStatus)}
        />
      )
    case 'billingType':
      return (
        <ChoiceField
          {...common}
          placeholder={t('choose')}
          options={billingChoices(input.employeeStatus ?? null).map(value => ({
            value: String(value),
            label: t(`billingType.${value}`),
          }))}
          onChange={value => onChange(field, Number(value) as BillingType)}
        />
      )
    case 'divisionId':
      return (
        <ChoiceField
          {...common}
          placeholder={t('choose')}
          options={divisions.map(({ id, name }) => ({ value: String(id), label: name }))}
          hint={t('divisionHint')}
          onChange={value => onChange(field, Number(value))}
        />
      )
    default:
      return (
        <TextField autoComplete="off" {...ATTRIBUTES[field]} {...common} onChange={value => onChange(field, value)} />
      )
  }
}
