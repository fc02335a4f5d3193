import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'wouter'
import buttons from '#components/button.module.css'
import form from '#components/form.module.css'
import type { Outcome } from '#contract/values.ts'
import { messageOf } from '#lib/api-error.ts'
import { sendConfirmation } from './api.ts'

/** Where the links of the activation mail, and of the mail to a new address, lead. */
export function ActivateScreen() {
  const { token = '' } = useParams()
  const { t } = useTranslation('accounts')
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const asked = useRef('')
  useEffect(() => {
    // The link works once: asking twice would turn the good answer into a bad one.
    if (asked.current === token) return
    asked.current = token
    sendConfirmation(token)
      .then(setOutcome)
      .catch(error => setOutcome({ status: 'Failed', message: messageOf(error, t('noAnswer')) }))
  }, [token, t])
  return (
    <div className={form.form}>
      <h1>{t('activate.title')}</h1>
      <p role="status">{outcome === null ? t('activate.running') : outcome.message}</p>
      {outcome && (
        <Link href="/login" className={`${buttons.button} ${buttons.primary}`}>
          {t('activate.login')}
        </Link>
      )}
    </div>
  )
}
