import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '#features/session/store.ts'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { Form, useShownErrors } from '#ui/form.tsx'
import { CurrentPasswordField } from '#ui/login-fields.tsx'

type Props = {
  title: string
  text: string
  submitLabel: string
  problem: string
  onSubmit: (password: string) => Promise<void>
  onClose: () => void
  /** alternative ways to confirm the operation */
  children?: ReactNode
}

/** Asks for the current password before a sensitive operation. */
export function CurrentPasswordDialog({ title, text, submitLabel, problem, onSubmit, onClose, children }: Props) {
  const { t } = useTranslation('accounts')
  const userName = useSession(state => state.session?.userName ?? '')
  const [password, setPassword] = useState('')
  const isValid = password.length >= 4
  const { errorOf, touch, showAll } = useShownErrors(isValid ? {} : { password: t('error.profile_field_mandatory') })
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{text}</p>
      <Form
        isValid={isValid}
        onSubmit={() => onSubmit(password)}
        onReach={showAll}
        submitLabel={submitLabel}
        problem={problem}
        back={
          <Button look="ghost" onClick={onClose}>
            {t('cancel')}
          </Button>
        }
      >
        <input name="username" autoComplete="username" value={userName} readOnly hidden />
        <CurrentPasswordField
          label={t('deletion.password')}
          required
          value={password}
          onChange={setPassword}
          onBlur={() => touch('password')}
          error={errorOf('password')}
          reveal={{ show: t('deletion.show'), hide: t('deletion.hide') }}
        />
      </Form>
      {children}
    </Dialog>
  )
}
