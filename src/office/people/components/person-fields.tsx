import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { isOneOf } from '#contract/records.ts'
import { defaultBilling, profileFields } from '#contract/rules/profile-rules.ts'
import { PROFILE_FIELDS, type ProfileInput, STORED_PROFILE_FIELDS } from '#contract/tables/person.ts'
import { ProfileField as Input } from '#features/accounts/components/profile-field.tsx'
import type { FormField } from '#features/accounts/form-model.ts'
import { useDivisions } from '#features/accounts/resource.ts'
import { Columns } from '#ui/layout.tsx'

type Props = { act: ProfileInput; change(fields: ProfileInput): void }

/** Parses a year of birth; null while it is incomplete. */
const yearOf = (typed: string | number | null) => (/^\d+$/.test(String(typed).trim()) ? Number(typed) : null)

/** Profile fields for the person's status. The office requires only a name; everything else can be added later. */
export function PersonFields({ act: input, change }: Props) {
  const { t } = useTranslation('office-people')
  useEffect(() => void useDivisions.load(), [])
  const uses = profileFields(input.employeeStatus ?? null, input.billingType ?? null)
  const set = <Field extends FormField>(field: Field, value: ProfileInput[Field]) => {
    const next: ProfileInput = {}
    next[field] = value
    if (next.yearOfBirth !== undefined) next.yearOfBirth = yearOf(next.yearOfBirth)
    if (field === 'employeeStatus')
      next.billingType = defaultBilling(next.employeeStatus ?? null, input.billingType ?? null)
    change(next)
  }
  return (
    <Columns gap="none">
      {PROFILE_FIELDS.filter((field): field is FormField => isOneOf(STORED_PROFILE_FIELDS, field))
        .filter(field => uses[field] !== 'hidden')
        .map(field => (
          <Input
            key={field}
            field={field}
            label={field === 'employeeStatus' ? t('field.status') : undefined}
            hint={field === 'bkkNumber' ? t('insuranceHint') : undefined}
            input={input}
            isRequired={field === 'familyName'}
            error={undefined}
            onChange={set}
            onBlur={() => undefined}
          />
        ))}
    </Columns>
  )
}
