import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { piece } from '#components/pieces.ts'
import { PROFILE_FIELDS, type ProfileField, type ProfileInput } from '#contract/person.ts'
import { billingChoices, profileFields } from '#contract/profile-rules.ts'
import { ProfileField as Input } from '#features/accounts/components/profile-field.tsx'
import { useDivisions } from '#features/accounts/resource.ts'
import type { Draft } from '#features/office/act-store.ts'

type PersonAct = Draft<'create-person'> | Draft<'change-person'>
type Props<Act extends PersonAct> = { act: Act; change(fields: Partial<Act>): void }

/** What a number or year is when its field is empty. */
const NUMBERS: readonly ProfileField[] = ['employeeStatus', 'billingType', 'divisionId', 'yearOfBirth']

/** A person's fields, as far as the status has them. At the desk only a name is needed: the rest may come later. */
export function PersonFields<Act extends PersonAct>({ act, change }: Props<Act>) {
  const { t } = useTranslation('office-people')
  const input = act as ProfileInput
  useEffect(() => void useDivisions.load(), [])
  const uses = profileFields(input.employeeStatus ?? null, input.billingType ?? null)
  const set = (field: ProfileField, value: unknown) => {
    const isNumber = NUMBERS.includes(field)
    const number = Number(value)
    const next = isNumber ? (value === '' || value === null || Number.isNaN(number) ? null : number) : value
    const more: ProfileInput = {}
    if (field === 'employeeStatus') {
      const choices = billingChoices(number as never)
      if (!choices.includes(input.billingType as never)) more.billingType = choices[0] ?? null
    }
    change({ [field]: next, ...more } as Partial<Act>)
  }
  return (
    <div className={piece('columns', 'joined')}>
      {PROFILE_FIELDS.filter(field => field !== 'password' && field !== 'confirmPassword')
        .filter(field => uses[field] !== 'hidden')
        .map(field => (
          <Input
            key={field}
            field={field as never}
            label={field === 'employeeStatus' ? t('field.status') : undefined}
            input={input}
            isRequired={field === 'familyName'}
            error={undefined}
            onChange={set as never}
            onBlur={() => undefined}
          />
        ))}
    </div>
  )
}
