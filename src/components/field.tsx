import { InputWrapperContext } from '@mantine/core'
import '@mantine/core/styles/Input.layer.css'
import { type ReactNode, useId, useMemo } from 'react'
import classes from './field.module.css'
import { MantineRoot } from './mantine-provider.tsx'
import { piece } from './pieces.ts'

export type FieldProps = {
  label: string
  hint?: ReactNode
  error?: string | undefined
  required?: boolean | undefined
}

/**
 * Label, hint and error of an `Input`, associated for screen readers. Plain HTML for speed: a form of twenty fields
 * renders on each keystroke. The error element always exists, as a live region.
 */
export function Field({ label, hint, error, required = false, children }: FieldProps & { children: ReactNode }) {
  const id = useId()
  const ties = useMemo(
    () => ({
      inputId: id,
      describedBy: `${id}-hint ${id}-error`,
      labelId: undefined,
      offsetTop: false,
      offsetBottom: false,
      getStyles: null,
    }),
    [id],
  )
  return (
    <div className={piece('stack', 'tight')}>
      <label htmlFor={id} className={piece('strong')}>
        {label}
        {required && <span aria-hidden> *</span>}
      </label>
      <MantineRoot>
        <InputWrapperContext value={ties}>{children}</InputWrapperContext>
      </MantineRoot>
      <div id={`${id}-hint`} className={piece('small', 'maybe')}>
        {hint}
      </div>
      <p id={`${id}-error`} className={`${piece('small', 'bad', 'flush')} ${classes.error}`} aria-live="polite">
        {error}
      </p>
    </div>
  )
}
