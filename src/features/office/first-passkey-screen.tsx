import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import { Button } from '#components/button.tsx'
import { piece } from '#components/pieces.ts'
import { setUpPasskey } from '#features/session/passkey-store.ts'
import { DeskPage } from './components/desk-page.tsx'

/** Where the mail leads that came with a right: the first passkey, and from it to the desk. */
export function FirstPasskeyScreen({ last: token }: { last: string }) {
  const { t } = useTranslation(['office', 'accounts'])
  const [, navigate] = useLocation()
  const [problem, setProblem] = useState('')
  const [isAsking, setIsAsking] = useState(false)
  const setUp = async () => {
    setProblem('')
    setIsAsking(true)
    const failure = await setUpPasskey(key => t(`accounts:passkey.${key}`), { token })
    setIsAsking(false)
    setProblem(failure)
    if (!failure) navigate('/office', { replace: true })
  }
  return (
    <DeskPage title={t('first.title')}>
      <section className={piece('box', 'stack', 'narrow')}>
        <p className={piece('flush')}>{t('first.text')}</p>
        <div className={piece('actions')}>
          <Button look="primary" aria-disabled={isAsking} onClick={setUp}>
            {t('first.add')}
          </Button>
        </div>
        {problem && (
          <p className={piece('trouble', 'flush')} role="alert">
            {problem}
          </p>
        )}
      </section>
    </DeskPage>
  )
}
