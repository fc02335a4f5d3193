import { type ReactNode, useEffect, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { ProfileStep } from '#contract/rules/profile-rules.ts'
import type { ProfileInput } from '#contract/tables/person.ts'
import type { EmployeeStatus } from '#contract/values.ts'
import { useThisYear } from '#lib/use-now.ts'
import { Form, useShownErrors } from '#ui/form.tsx'
import { Card, Text } from '#ui/layout.tsx'
import {
  type FormField,
  fieldErrorText,
  formFieldGroups,
  hasDependentFields,
  profileErrorsOf,
  updateProfileField,
  withDefaultDivision,
} from '../form-model.ts'
import { useDivisions } from '../resource.ts'
import { PrivacyNote } from './privacy-note.tsx'
import { ProfileField } from './profile-field.tsx'
import classes from './profile-form.module.css'

type Props = {
  step: ProfileStep
  input: ProfileInput
  /** statuses that can be selected; all by default */
  statuses?: readonly EmployeeStatus[] | undefined
  onChange: (input: ProfileInput) => void
  /** receives the complete input, including default values */
  onSubmit: (input: ProfileInput) => Promise<void>
  submitLabel: string
  /**
   * label of a submit button that also gives consent to storing the insurance number; undefined once consent has been
   * given
   */
  consentLabel?: string | undefined
  problem?: string
  /** content next to the submit button */
  back: ReactNode
  /** highlights missing fields from the start */
  isOpen?: boolean
  children?: ReactNode
}

/** Profile form whose fields depend on the employment status and the billing type. */
export function ProfileForm(props: Props) {
  const { step, input: typed, statuses, onChange, onSubmit, consentLabel, isOpen = false, children, ...rest } = props
  const { t } = useTranslation(['accounts', 'consents'])
  const divisions = useDivisions(state => state.data)
  const input = withDefaultDivision(typed, divisions[0]?.id)
  const thisYear = useThisYear()
  const errors = useMemo(() => profileErrorsOf(input, step, thisYear), [input, step, thisYear])
  const { errorOf, touch, showAll, hideAll } = useShownErrors(errors, isOpen)
  const groups = formFieldGroups(step, input)
  const has = (name: FormField) => groups.some(({ fields }) => fields.some(({ field }) => field === name))
  const hasDivision = has('divisionId')
  const consentButton = has('bkkNumber') ? consentLabel : undefined

  useEffect(() => {
    if (hasDivision) useDivisions.load()
  }, [hasDivision])

  const change = <Field extends FormField>(field: Field, value: ProfileInput[Field]) => {
    if (hasDependentFields(field)) hideAll()
    onChange(updateProfileField(input, field, value))
  }
  return (
    <Form
      isValid={Object.keys(errors).length === 0}
      onSubmit={() => onSubmit(input)}
      onReach={showAll}
      {...rest}
      submitLabel={consentButton ?? rest.submitLabel}
    >
      {children}
      {groups.map(({ group, fields }) => (
        <Card as="fieldset" key={group} flush className={classes.group}>
          <Text as="legend" variant="heading" legend>
            {t(`group.${group}`)}
          </Text>
          {fields.map(({ field, isRequired }) => {
            const error = errorOf(field) && errors[field]
            return (
              <div key={field} className={classes.field} data-field={field}>
                <ProfileField
                  field={field}
                  statuses={statuses}
                  input={input}
                  isRequired={isRequired}
                  error={error && t(...fieldErrorText(field, error, input))}
                  onChange={change}
                  onBlur={() => touch(field)}
                />
              </div>
            )
          })}
        </Card>
      ))}
      <Text tone="muted" flush>
        {t('mandatoryNote')}
      </Text>
      <PrivacyNote />
      {consentButton && (
        <Card as="p" flush>
          {t('consents:insurance.text', { button: consentButton })}
        </Card>
      )}
    </Form>
  )
}
