import { type ReactNode, useId } from 'react'
import classes from './field.module.css'

export type FieldProps = {
  label: string
  hint?: ReactNode
  error?: string | undefined
  required?: boolean | undefined
}

/** What ties the control to its label, hint and error. */
type Ties = {
  id: string
  'aria-required': boolean | undefined
  'aria-invalid': true | undefined
  'aria-describedby': string
}

/** The frame of a control: label, hint and error, all tied to it for screen readers. */
export function Field({
  label,
  hint,
  error,
  required,
  children,
}: FieldProps & { children: (ties: Ties) => ReactNode }) {
  const id = useId()
  const isInvalid = error ? true : undefined
  return (
    <div className={classes.field}>
      <label htmlFor={id}>
        {label}
        {required && <span aria-hidden> *</span>}
      </label>
      <div className={classes.box} data-invalid={isInvalid}>
        {children({
          id,
          'aria-required': required,
          'aria-invalid': isInvalid,
          'aria-describedby': `${id}-hint ${id}-error`,
        })}
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
