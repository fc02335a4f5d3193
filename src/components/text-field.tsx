import { IconEye, IconEyeOff } from '@tabler/icons-react'
import { type InputHTMLAttributes, type ReactNode, useId, useState } from 'react'
import classes from './field.module.css'

type Props = Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'value'> & {
  label: string
  value: string
  onChange: (value: string) => void
  hint?: ReactNode
  error?: string | undefined
  /** the texts of the button that shows what is typed; for passwords only */
  reveal?: { show: string; hide: string }
}

/** A labelled input with its hint and its error, both tied to it for screen readers. */
export function TextField({ label, value, onChange, hint, error, reveal, required, type = 'text', ...rest }: Props) {
  const id = useId()
  const [isRevealed, setIsRevealed] = useState(false)
  return (
    <div className={classes.field}>
      <label htmlFor={id}>
        {label}
        {required && <span aria-hidden> *</span>}
      </label>
      <div className={classes.box} data-invalid={error ? true : undefined}>
        <input
          {...rest}
          id={id}
          type={isRevealed ? 'text' : type}
          value={value}
          onChange={event => onChange(event.currentTarget.value)}
          aria-required={required}
          aria-invalid={error ? true : undefined}
          aria-describedby={`${id}-hint ${id}-error`}
        />
        {reveal && (
          <button
            type="button"
            aria-label={isRevealed ? reveal.hide : reveal.show}
            aria-pressed={isRevealed}
            onClick={() => setIsRevealed(shown => !shown)}
          >
            {isRevealed ? <IconEyeOff aria-hidden /> : <IconEye aria-hidden />}
          </button>
        )}
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
