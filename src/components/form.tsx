import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Button } from './button.tsx'
import { piece } from './pieces.ts'

/**
 * Problems show once a field was touched, all once the button was reached for. See docs/decisions/0078.
 * @param isOpen all from the start
 */
export function useShownErrors<Field extends string>(errors: Partial<Record<Field, string>>, isOpen = false) {
  const [touched, setTouched] = useState<ReadonlySet<Field>>(new Set())
  const [isAll, setIsAll] = useState(isOpen)
  return {
    errorOf: (field: Field): string | undefined => (isAll || touched.has(field) ? errors[field] : undefined),
    touch: (field: Field) => setTouched(fields => new Set(fields).add(field)),
    showAll: () => setIsAll(true),
    /** as a form that was built anew */
    hideAll: () => {
      setTouched(new Set())
      setIsAll(false)
    },
  }
}

type Props = {
  isValid: boolean
  onSubmit: () => Promise<unknown>
  /** the reader reaches for the button: what is still wrong may show now */
  onReach: () => void
  submitLabel: string
  /** why the last try failed */
  problem?: string
  /** stands beside the submit button */
  back?: ReactNode
  children: ReactNode
}

/**
 * A form with its submit button, which is disabled while something is wrong. It stays reachable by keyboard, for then it says
 * what: the first wrong field gets the focus. Sends once at a time.
 */
export function Form({ isValid, onSubmit, onReach, submitLabel, problem, back, children }: Props) {
  const form = useRef<HTMLFormElement>(null)
  const [isSending, setIsSending] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isSending) return
    if (!isValid) {
      flushSync(onReach)
      form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
      return
    }
    setIsSending(true)
    await onSubmit().finally(() => setIsSending(false))
  }
  return (
    <form ref={form} className={piece('stack', 'loose', 'narrow')} onSubmit={submit} noValidate>
      {children}
      {problem && (
        <p className={piece('trouble', 'flush')} role="alert">
          {problem}
        </p>
      )}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: pointing at the disabled button shows what is still wrong */}
      <div className={piece('actions')} onMouseEnter={onReach} onTouchStart={onReach}>
        {back}
        <Button type="submit" look="primary" aria-disabled={!isValid || isSending} onFocus={onReach}>
          {submitLabel}
        </Button>
      </div>
    </form>
  )
}
