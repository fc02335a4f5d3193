import { Input } from '@mantine/core'
import { type InputHTMLAttributes, useState } from 'react'
import { Field, type FieldProps } from './field.tsx'
import { IconEye, IconEyeOff } from './icons.ts'
import { IconButton } from './layout.tsx'

type Props = FieldProps &
  Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'value' | 'size'> & {
    value: string
    onChange: (value: string) => void
    /** labels of the show/hide button, for passwords only */
    reveal?: { show: string; hide: string }
  }

export function TextField({ label, hint, error, required, onChange, reveal, type = 'text', ...rest }: Props) {
  const [isRevealed, setIsRevealed] = useState(false)
  return (
    <Field label={label} hint={hint} error={error} required={required}>
      <Input
        {...rest}
        error={Boolean(error)}
        aria-required={required}
        type={isRevealed ? 'text' : type}
        onChange={event => onChange(event.currentTarget.value)}
        rightSectionPointerEvents="all"
        rightSection={
          reveal && (
            <IconButton
              type="button"
              aria-label={isRevealed ? reveal.hide : reveal.show}
              aria-pressed={isRevealed}
              onClick={() => setIsRevealed(shown => !shown)}
            >
              {isRevealed ? <IconEyeOff /> : <IconEye />}
            </IconButton>
          )
        }
      />
    </Field>
  )
}
