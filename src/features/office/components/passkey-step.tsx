import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '#components/button.tsx'
import { piece } from '#components/pieces.ts'
import type { Words } from '#features/session/passkey-store.ts'

type Props = {
  label: string
  /** resolves to an error text, '' on success */
  ask: (words: Words) => Promise<string>
  onDone: () => void
}

/** Button that requests a passkey, with the error below. */
export function PasskeyStep({ label, ask, onDone }: Props) {
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
      <div className={piece('actions')}>
        <Button look="primary" aria-disabled={isAsking} onClick={press}>
          {label}
        </Button>
      </div>
      {problem && (
        <p className={piece('trouble', 'flush')} role="alert">
          {problem}
        </p>
      )}
    </>
  )
}
