import { Input } from '@mantine/core'
import { Field, type FieldProps } from './field.tsx'

type Props = FieldProps & {
  value: string
  onChange: (value: string) => void
  rows?: number
  maxLength?: number
}

/** Labelled textarea. Mantine's own sets an id that does not match the label. */
export function LongTextField({ value, onChange, rows = 2, maxLength, ...frame }: Props) {
  return (
    <Field {...frame}>
      <Input
        component="textarea"
        multiline
        rows={rows}
        maxLength={maxLength}
        value={value}
        error={Boolean(frame.error)}
        aria-required={frame.required}
        onChange={event => onChange(event.currentTarget.value)}
      />
    </Field>
  )
}
