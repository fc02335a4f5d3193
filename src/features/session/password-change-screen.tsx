import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import { api } from '#lib/api.ts'
import { errorMessageOf } from '#lib/api-error.ts'
import { withProgress } from '#lib/progress.ts'
import { useQueryString } from '#lib/use-query-string.ts'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { Form, useShownErrors } from '#ui/form.tsx'
import { NewPasswordFields } from '#ui/new-password-fields.tsx'
import { ScreenHeader } from '#ui/screen-header.tsx'
import { newPasswordErrors, routeAfterPasswordChange } from './model.ts'
import { useSession } from './store.ts'

/** Input for a new password, entered twice; the server validates it. */
export function PasswordChangeScreen() {
  const { t } = useTranslation('session')
  const [, navigate] = useLocation()
  const search = useQueryString()
  const session = useSession(state => state.session)
  const update = useSession(state => state.update)
  const [input, setInput] = useState({ password: '', confirmPassword: '' })
  const [result, setResult] = useState<'changed' | 'insecure' | null>(null)
  const [problem, setProblem] = useState('')
  const errors = newPasswordErrors(input)
  const { errorOf, touch, showAll } = useShownErrors(errors)

  const submit = async () => {
    setProblem('')
    try {
      const { changed } = await withProgress(api.changePassword({ body: input }))
      if (changed) update({ isPasswordToChange: false })
      setResult(changed ? 'changed' : 'insecure')
      if (!changed) setProblem(t('change.insecure.text'))
    } catch (error) {
      setProblem(errorMessageOf(error, t('change.noAnswer')))
    }
  }
  const close = () => {
    if (result === 'changed') navigate(routeAfterPasswordChange(search))
    setResult(null)
  }
  return (
    <>
      <ScreenHeader title={t('change.title')} lead={t('change.hint')} />
      <Form
        isValid={Object.keys(errors).length === 0}
        onSubmit={submit}
        onReach={showAll}
        submitLabel={t('ok')}
        problem={problem}
      >
        {/* Hidden user name for password managers. */}
        <input name="username" autoComplete="username" value={session?.userName ?? ''} readOnly hidden />
        <NewPasswordFields
          {...input}
          onChange={(field, value) => setInput({ ...input, [field]: value })}
          owner={{ email: session?.userName ?? '', givenName: session?.givenName, familyName: session?.familyName }}
          errorOf={field => {
            const error = errorOf(field)
            return error && t(`change.error.${error}`)
          }}
          onTouch={touch}
        />
      </Form>
      {result && (
        <Dialog title={t(`change.${result}.title`)} onClose={close}>
          <p>{t(`change.${result}.text`)}</p>
          <Button look="plain" onClick={close}>
            {t('ok')}
          </Button>
        </Dialog>
      )}
    </>
  )
}
