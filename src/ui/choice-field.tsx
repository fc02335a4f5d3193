import { Input } from '@mantine/core'
import { Field, type FieldProps } from './field.tsx'
import { IconChevronDown } from './shell-icons.ts'

type Props<Value extends string> = FieldProps & {
  name: string
  /** '' if nothing is selected */
  value: Value | ''
  options: { value: Value; label: string }[]
  onChange: (value: Value) => void
  onBlur?: () => void
  /** text shown while nothing is selected; if missing, the first option is the default */
  placeholder?: string
}

/** Labelled native `<select>`, because phones show their own picker for it. */
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
        rightSection={<IconChevronDown />}
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
