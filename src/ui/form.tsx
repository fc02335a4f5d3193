import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Button } from './button.tsx'
import { Actions, Card, Stack } from './layout.tsx'

/**
 * Selects the validation errors to show: those of touched fields, or all of them once the user focuses or points at the
 * submit button. See docs/decisions/0078.
 * @param isOpen shows all errors from the start
 */
export function useShownErrors<Field extends string>(errors: Partial<Record<Field, string>>, isOpen = false) {
  const [touched, setTouched] = useState<ReadonlySet<Field>>(new Set())
  const [isAll, setIsAll] = useState(isOpen)
  return {
    errorOf: (field: Field): string | undefined => (isAll || touched.has(field) ? errors[field] : undefined),
    touch: (field: Field) => setTouched(fields => new Set(fields).add(field)),
    showAll: () => setIsAll(true),
    /** resets the form to its initial state */
    hideAll: () => {
      setTouched(new Set())
      setIsAll(false)
    },
  }
}

type Props = {
  isValid: boolean
  onSubmit: () => Promise<unknown>
  /** called when the user focuses or points at the submit button, to show all remaining errors */
  onReach: () => void
  submitLabel: string
  /** error message of the last submission */
  problem?: string
  /** content beside the submit button */
  back?: ReactNode
  children: ReactNode
}

/**
 * Form with a submit button that is aria-disabled while a field is invalid. The button stays focusable; pressing it
 * focuses the first invalid field. Concurrent submissions are prevented.
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
    <Stack as="form" ref={form} gap="l" width="narrow" onSubmit={submit} noValidate>
      {children}
      {problem && (
        <Card as="p" status="error" flush role="alert">
          {problem}
        </Card>
      )}
      <Actions onMouseEnter={onReach} onTouchStart={onReach}>
        {back}
        <Button type="submit" look="primary" aria-disabled={!isValid || isSending} onFocus={onReach}>
          {submitLabel}
        </Button>
      </Actions>
    </Stack>
  )
}
