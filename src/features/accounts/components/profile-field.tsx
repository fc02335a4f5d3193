import type { InputHTMLAttributes } from 'react'
import { useTranslation } from 'react-i18next'
import { billingChoices } from '#contract/rules/profile-rules.ts'
import { PERSON, PERSON_FIELDS, PROFILE_FIELD_LABELS, type ProfileInput } from '#contract/tables/person.ts'
import { EMPLOYEE_STATUS, type EmployeeStatus, FORMS_OF_ADDRESS } from '#contract/values.ts'
import { useLanguage } from '#lib/use-language.ts'
import { ChoiceField } from '#ui/choice-field.tsx'
import { TextField } from '#ui/text-field.tsx'
import { type FormField, normalizeProfileFieldInput } from '../form-model.ts'
import { useDivisions } from '../resource.ts'

type Props = {
  field: FormField
  /** replaces the default label, which addresses the owner of the profile */
  label?: string | undefined
  hint?: string | undefined
  /** restricts the selectable statuses */
  statuses?: readonly EmployeeStatus[] | undefined
  input: ProfileInput
  isRequired: boolean
  error: string | undefined
  onChange: <Field extends FormField>(field: Field, value: ProfileInput[Field]) => void
  onBlur: () => void
}

const KEYBOARDS: Partial<Record<string, InputHTMLAttributes<HTMLInputElement>>> = {
  email: { type: 'email', autoCapitalize: 'none', spellCheck: false },
  phone: { type: 'tel' },
  year: { inputMode: 'numeric' },
}

/** One profile field: a text input, or a select for fields with a fixed set of values. */
export function ProfileField({
  field,
  label,
  hint,
  statuses = Object.values(EMPLOYEE_STATUS),
  input,
  isRequired,
  error,
  onChange,
  onBlur,
}: Props) {
  const { t } = useTranslation('accounts')
  const language = useLanguage()
  const divisions = useDivisions(state => state.data)
  const common = {
    label: label ?? PROFILE_FIELD_LABELS[language][field],
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
          placeholder={t('choose')}
          options={FORMS_OF_ADDRESS.map(value => ({ value, label: t(`formOfAddress.${value}`) }))}
          onChange={value => onChange(field, value)}
        />
      )
    case 'employeeStatus':
      return (
        <ChoiceField
          {...common}
          placeholder={t('choose')}
          options={statuses.map(value => ({
            value: String(value),
            label: t(`employeeStatus.${value}`),
          }))}
          onChange={value => onChange(field, statuses.find(status => String(status) === value) ?? null)}
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
          onChange={value =>
            onChange(field, billingChoices(input.employeeStatus ?? null).find(type => String(type) === value) ?? null)
          }
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
        <TextField
          autoComplete={PERSON_FIELDS[field].fill ?? 'off'}
          {...KEYBOARDS[PERSON[field].kind]}
          {...common}
          hint={hint}
          onChange={value => onChange(field, normalizeProfileFieldInput(field, value))}
        />
      )
  }
}
