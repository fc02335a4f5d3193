import { Input } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { Field, type FieldProps } from './field.tsx'

type Props<Value extends string> = FieldProps & {
  name: string
  /** '' when nothing is chosen */
  value: Value | ''
  options: { value: Value; label: string }[]
  onChange: (value: Value) => void
  onBlur?: () => void
  /** shown while nothing is chosen; without it the first option always is */
  placeholder?: string
}

/** A labelled choice of the platform: phones show their own wheel or list. */
export function ChoiceField<Value extends string>(props: Props<Value>) {
  const { name, value, options, onChange, onBlur, placeholder, ...frame } = props
  const choose = (text: string) => {
    const chosen = options.find(option => option.value === text)
    if (chosen) onChange(chosen.value)
  }
  return (
    <Field {...frame}>
      <Input
        error={Boolean(frame.error)}
        aria-required={frame.required}
        component="select"
        rightSection={<IconChevronDown aria-hidden />}
        rightSectionPointerEvents="none"
        name={name}
        value={value}
        onChange={event => choose(event.currentTarget.value)}
        {...(onBlur ? { onBlur } : {})}
      >
        {placeholder !== undefined && (
          <option value="" disabled>
            {placeholder}
          </option>
        )}
        {options.map(option => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </Input>
    </Field>
  )
}
