import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import buttons from '#components/button.module.css'
import { Dialog } from '#components/dialog.tsx'
import { Form, useShownErrors } from '#components/form.tsx'
import { TextField } from '#components/text-field.tsx'
import { useSession } from '#features/session/store.ts'
import { messageOf } from '#lib/api-error.ts'
import { withProgress } from '#lib/progress.ts'
import { showSuccess } from '#lib/toast.ts'
import { sendDeletion } from '../api.ts'

/** Asks for the password, deletes the account, and ends the session with it. */
export function DeletionDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('accounts')
  const { session, logout } = useSession()
  const [password, setPassword] = useState('')
  const [problem, setProblem] = useState('')
  const isValid = password.length >= 4
  const { errorOf, touch, showAll } = useShownErrors(isValid ? {} : { password: t('error.profile_field_mandatory') })

  const remove = async () => {
    setProblem('')
    try {
      const answer = await withProgress(sendDeletion(password))
      if (answer.status !== 'Ok') return setProblem(answer.message)
      showSuccess(answer.message)
      await logout()
    } catch (error) {
      setProblem(messageOf(error, t('deletion.noAnswer')))
    }
  }
  return (
    <Dialog title={t('deletion.title')} closeLabel={t('cancel')} onClose={onClose}>
      <p>{t('deletion.question')}</p>
      <Form
        isValid={isValid}
        onSubmit={remove}
        onReach={showAll}
        submitLabel={t('deletion.confirm')}
        problem={problem}
        back={
          <button type="button" className={`${buttons.button} ${buttons.ghost}`} onClick={onClose}>
            {t('cancel')}
          </button>
        }
      >
        <input name="username" autoComplete="username" value={session?.userName ?? ''} readOnly hidden />
        <TextField
          label={t('deletion.password')}
          name="password"
          type="password"
          autoComplete="current-password"
          required
          value={password}
          onChange={setPassword}
          onBlur={() => touch('password')}
          error={errorOf('password')}
          reveal={{ show: t('deletion.show'), hide: t('deletion.hide') }}
        />
      </Form>
    </Dialog>
  )
}
