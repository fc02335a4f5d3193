import { Input } from '@mantine/core'
import i18next from 'i18next'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { FieldKind, FormFieldSpec } from '#contract/tables/fields.ts'
import { formatMoney, plainText } from '#contract/words.ts'
import type { LabelledValue } from '#office/frame/act-store.ts'
import { DateTimeField } from '#office/frame/components/date-time-field.tsx'
import { CheckField } from '#ui/check-field.tsx'
import { ChoiceField } from '#ui/choice-field.tsx'
import { Field } from '#ui/field.tsx'
import { FieldGrid } from '#ui/layout.tsx'
import { TextField } from '#ui/text-field.tsx'
import { formatDateTime, formatFieldValue, formatFullDate, missingFields, parseFieldText } from '../model.ts'

type Option = { value: string; label: string }
export type SelectOptionsByKind = Partial<Record<'season' | 'category' | 'weekday', Option[]>>

/** Select options for a field of the given kind; undefined if the field takes free text. */
export const selectOptionsOf = (options: SelectOptionsByKind, kind: FieldKind): Option[] | undefined =>
  Object.entries(options).find(([name]) => name === kind)?.[1]

const t = i18next.getFixedT(null, 'office-programme')

export function labelFieldValues(
  fields: readonly FormFieldSpec[],
  stored: Readonly<Record<string, unknown>>,
  options: SelectOptionsByKind = {},
): Required<LabelledValue>[] {
  const sayAs = (kind: FieldKind) => (value: unknown) => {
    const text = formatFieldValue(value)
    if (text === '') return ''
    if (kind === 'flag') return t(value === true ? 'field.yes' : 'field.no')
    if (kind === 'date' || kind === 'startOfDay') return formatFullDate(text)
    if (kind === 'moment') return formatDateTime(text)
    if (kind === 'money') return formatMoney(Number(text))
    if (kind === 'html') return plainText(text)
    return selectOptionsOf(options, kind)?.find(option => option.value === text)?.label ?? text
  }
  return fields.flatMap(({ name, kind, isPair }) => {
    const label = t(`field.${name}`)
    const second = isPair ? [{ name: `${name}2`, label: t('field.english', { label }) }] : []
    const say = sayAs(kind)
    return [{ name, label }, ...second].map(fact => ({ ...fact, say, value: say(stored[fact.name]) }))
  })
}

/** Labels of the required fields that have no value. */
export const missingFieldLabels = (fields: readonly FormFieldSpec[], act: object): string[] =>
  missingFields(fields, act).map(({ name }) => t(`field.${name}`))

type Props = {
  fields: readonly FormFieldSpec[]
  act: object
  /** stored values, if the action changes an existing record */
  stored?: Readonly<Record<string, unknown>> | undefined
  options?: SelectOptionsByKind
  /** whether the fields apply to several records at once; an empty field then changes nothing */
  isBulk?: boolean
  change(fields: Record<string, unknown>): void
}

export function ActFields({ fields, act, stored = {}, options = {}, isBulk = false, change }: Props) {
  const { t } = useTranslation('office-programme')
  const given: Record<string, unknown> = { ...stored, ...act }
  const one = (field: FormFieldSpec, name: string, label: string) => (
    <OneField
      key={name}
      field={field}
      label={label}
      value={given[name]}
      options={options}
      hasHint={!isBulk}
      // An amount that cannot be cleared is 0. In a bulk change, an empty one is unchanged.
      onChange={value => change({ [name]: value === null && !field.isClearable && !isBulk ? 0 : value })}
    />
  )
  return (
    <FieldGrid>
      {fields.map(field => {
        const label = t(`field.${field.name}`)
        if (!field.isPair) return one(field, field.name, label)
        const second = { ...field }
        delete second.isRequired
        return [
          one(field, field.name, t('field.german', { label })),
          one(second, `${field.name}2`, t('field.english', { label })),
        ]
      })}
    </FieldGrid>
  )
}

type OneProps = {
  field: FormFieldSpec
  label: string
  value: unknown
  options: SelectOptionsByKind
  hasHint: boolean
  onChange(value: unknown): void
}

function OneField({
  field: { name, kind, isRequired, isClearable },
  label,
  value,
  options,
  hasHint,
  onChange,
}: OneProps) {
  const { t } = useTranslation('office-programme')
  // The typed text is shown unchanged even while it is not a valid number. It is reset only when the value changes
  // elsewhere.
  const [typed, setText] = useState(formatFieldValue(value))
  const text =
    formatFieldValue(parseFieldText(kind, typed)) === formatFieldValue(value) ? typed : formatFieldValue(value)
  const write = (next: string) => {
    setText(next)
    onChange(kind === 'date' && isClearable && next === '' ? null : parseFieldText(kind, next))
  }
  const field = { name, label, value: text, onChange: write, required: isRequired ?? false }
  if (kind === 'flag') return <CheckField label={label} checked={value === true} onChange={onChange} />
  const choices = selectOptionsOf(options, kind)
  if (choices)
    return (
      <ChoiceField
        {...field}
        options={isRequired ? choices : [{ value: '', label: t('field.none') }, ...choices]}
        {...(isRequired && { placeholder: t('field.choose') })}
      />
    )
  if (kind === 'text' || kind === 'html')
    return (
      <Field label={label} hint={kind === 'html' ? t('field.html') : undefined}>
        <Input
          component="textarea"
          multiline
          rows={kind === 'html' ? 5 : 2}
          value={text}
          onChange={event => write(event.currentTarget.value)}
        />
      </Field>
    )
  const hasNumber = ['count', 'year', 'money', 'hours'].includes(kind)
  // The hint about the season's start of booking applies to courses, not to the season itself, where it is required.
  const hint = !hasHint || (name === 'bookableFrom' && isRequired) ? '' : t(`hint.${name}`, '')
  const when = kind === 'startOfDay' ? 'date' : kind
  if (when === 'date' || when === 'time' || when === 'moment')
    return <DateTimeField kind={when} hint={hint} {...field} />
  return (
    <TextField
      {...field}
      {...(hint && { hint })}
      {...(hasNumber && { inputMode: kind === 'count' || kind === 'year' ? 'numeric' : 'decimal' })}
    />
  )
}
