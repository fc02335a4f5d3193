import { IconChevronDown } from '@tabler/icons-react'
import { type ReactNode, useId } from 'react'
import classes from './field.module.css'

type Props = {
  label: string
  name: string
  /** '' when nothing is chosen */
  value: string
  options: { value: string; label: string }[]
  onChange: (value: string) => void
  onBlur?: () => void
  /** shown while nothing is chosen; without it the first option always is */
  placeholder?: string
  hint?: ReactNode
  error?: string | undefined
  required?: boolean
}

/** A labelled choice of the platform: phones show their own wheel or list. */
export function ChoiceField(props: Props) {
  const { label, name, value, options, onChange, onBlur, placeholder, hint, error, required } = props
  const id = useId()
  return (
    <div className={classes.field}>
      <label htmlFor={id}>
        {label}
        {required && <span aria-hidden> *</span>}
      </label>
      <div className={classes.box} data-invalid={error ? true : undefined}>
        <select
          id={id}
          name={name}
          value={value}
          onChange={event => onChange(event.currentTarget.value)}
          {...(onBlur ? { onBlur } : {})}
          aria-required={required}
          aria-invalid={error ? true : undefined}
          aria-describedby={`${id}-hint ${id}-error`}
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
        </select>
        <IconChevronDown className={classes.chevron} aria-hidden />
      </div>
      <div id={`${id}-hint`} className={classes.hint}>
        {hint}
      </div>
      <p id={`${id}-error`} className={classes.error} aria-live="polite">
        {error}
      </p>
    </div>
  )
}
