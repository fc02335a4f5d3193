import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { PasskeyErrorTranslator } from '#features/session/passkey-store.ts'
import { Button } from '#ui/button.tsx'
import { Actions, Card } from '#ui/layout.tsx'

type Props = {
  label: string
  /** resolves with an error text, or '' on success */
  ask: (words: PasskeyErrorTranslator) => Promise<string>
  onDone: () => void
}

/** Button that asks for a passkey. Shows errors below it. */
export function PasskeyButton({ label, ask, onDone }: Props) {
  const { t } = useTranslation('accounts')
  const [problem, setProblem] = useState('')
  const [isAsking, setIsAsking] = useState(false)
  const press = async () => {
    setProblem('')
    setIsAsking(true)
    const failure = await ask(key => t(`passkey.${key}`))
    setIsAsking(false)
    setProblem(failure)
    if (!failure) onDone()
  }
  return (
    <>
      <Actions>
        <Button look="primary" aria-disabled={isAsking} onClick={press}>
          {label}
        </Button>
      </Actions>
      {problem && (
        <Card as="p" status="error" flush role="alert">
          {problem}
        </Card>
      )}
    </>
  )
}
