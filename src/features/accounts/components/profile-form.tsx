import { type FormEvent, type ReactNode, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import buttons from '#components/button.module.css'
import { ChoiceField } from '#components/choice-field.tsx'
import classes from '#components/form.module.css'
import { TextField } from '#components/text-field.tsx'
import { billingChoices } from '#contract/billing-rules.ts'
import { fieldsOfStep, type ProfileStep } from '#contract/profile-check.ts'
import { type ProfileField, type ProfileInput, profileFields } from '#contract/profile-rules.ts'
import { type BillingType, EMPLOYEE_STATUS, type EmployeeStatus, FORMS_OF_ADDRESS } from '#contract/values.ts'
import { changeField, errorsOf } from '../form-model.ts'
import { useDivisions } from '../store.ts'

type Props = {
  step: ProfileStep
  input: ProfileInput
  onChange: (input: ProfileInput) => void
  onSubmit: () => Promise<void>
  submitLabel: string
  /** what stands beside the submit button */
  back: ReactNode
  children?: ReactNode
}

const AUTOCOMPLETE: Partial<Record<ProfileField, string>> = {
  email: 'email',
  givenName: 'given-name',
  familyName: 'family-name',
  title: 'honorific-prefix',
  mobilePhone: 'tel',
  privatePhone: 'tel',
  businessPhone: 'tel',
  street: 'street-address',
  zip: 'postal-code',
  city: 'address-level2',
  yearOfBirth: 'bday-year',
}
const INPUT_TYPE: Partial<Record<ProfileField, string>> = {
  email: 'email',
  mobilePhone: 'tel',
  privatePhone: 'tel',
  businessPhone: 'tel',
}

/** The fields of a group of people, rebuilt when status or billing type change; errors show once touched, or at the button. */
export function ProfileForm({ step, input, onChange, onSubmit, submitLabel, back, children }: Props) {
  const { t } = useTranslation('accounts')
  const divisions = useDivisions(state => state.divisions)
  const [touched, setTouched] = useState<ReadonlySet<ProfileField>>(new Set())
  const [isAtSubmit, setIsAtSubmit] = useState(false)
  const [isSending, setIsSending] = useState(false)
  const errors = useMemo(() => errorsOf(input, step, new Date().getFullYear()), [input, step])
  const uses = profileFields(input.employeeStatus ?? null, input.billingType ?? null)
  const isValid = Object.keys(errors).length === 0

  const touch = (field: ProfileField) => setTouched(fields => new Set(fields).add(field))
  const change = <Field extends ProfileField>(field: Field, value: ProfileInput[Field]) =>
    onChange(changeField(input, field, value, divisions[0]?.id ?? null))
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (!isValid || isSending) return setIsAtSubmit(true)
    setIsSending(true)
    await onSubmit().finally(() => setIsSending(false))
  }

  const choices: Partial<Record<ProfileField, { value: string; label: string }[]>> = {
    formOfAddress: FORMS_OF_ADDRESS.map(value => ({ value, label: t(`formOfAddress.${value}`) })),
    employeeStatus: Object.values(EMPLOYEE_STATUS).map(value => ({
      value: String(value),
      label: t(`employeeStatus.${value}`),
    })),
    billingType: billingChoices(input.employeeStatus ?? null).map(value => ({
      value: String(value),
      label: t(`billingType.${value}`),
    })),
    divisionId: divisions.map(({ id, name }) => ({ value: String(id), label: name })),
  }
  const choose = (field: ProfileField, value: string) => {
    if (field === 'formOfAddress') change(field, value)
    else if (field === 'employeeStatus') change(field, Number(value) as EmployeeStatus)
    else if (field === 'billingType') change(field, Number(value) as BillingType)
    else change('divisionId', Number(value))
  }

  const fieldOf = (field: ProfileField) => {
    const error = errors[field]
    const common = {
      label: t(`field.${field}`),
      name: field,
      value: input[field] === null || input[field] === undefined ? '' : String(input[field]),
      onBlur: () => touch(field),
      required: uses[field] === 'required',
      error: error && (touched.has(field) || isAtSubmit) ? t(`error.${error}`) : undefined,
    }
    const options = choices[field]
    if (options) {
      return (
        <ChoiceField
          key={field}
          {...common}
          options={options}
          placeholder={t('choose')}
          hint={field === 'divisionId' ? t('divisionHint') : undefined}
          onChange={value => choose(field, value)}
        />
      )
    }
    return (
      <TextField
        key={field}
        {...common}
        type={INPUT_TYPE[field] ?? 'text'}
        autoComplete={AUTOCOMPLETE[field] ?? 'off'}
        {...(field === 'yearOfBirth' ? { inputMode: 'numeric' as const } : {})}
        onChange={value => change(field, value)}
      />
    )
  }

  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      {children}
      {fieldsOfStep(step)
        .filter(field => uses[field] !== 'hidden' && field !== 'password' && field !== 'confirmPassword')
        .map(fieldOf)}
      <p className={classes.note}>{t('mandatoryNote')}</p>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: pointing at the disabled button shows what is still missing */}
      <div
        className={classes.actions}
        onMouseEnter={() => setIsAtSubmit(true)}
        onTouchStart={() => setIsAtSubmit(true)}
      >
        {back}
        <button
          type="submit"
          className={`${buttons.button} ${buttons.primary}`}
          aria-disabled={!isValid || isSending}
          onFocus={() => setIsAtSubmit(true)}
        >
          {submitLabel}
        </button>
      </div>
    </form>
  )
}
