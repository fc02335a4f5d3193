import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Redirect, useLocation } from 'wouter'
import { PROFILE_FIELD_LABELS, type ProfileField, type ProfileInput } from '#contract/tables/person.ts'
import { useSession } from '#features/session/store.ts'
import { api } from '#lib/api.ts'
import { errorMessageOf } from '#lib/api-error.ts'
import { withProgress } from '#lib/progress.ts'
import { useLanguage } from '#lib/use-language.ts'
import { useThisYear } from '#lib/use-now.ts'
import { Button, ButtonLink } from '#ui/button.tsx'
import { Form, useShownErrors } from '#ui/form.tsx'
import { Stack, Text } from '#ui/layout.tsx'
import { UserNameField } from '#ui/login-fields.tsx'
import { NewPasswordFields } from '#ui/new-password-fields.tsx'
import { ScreenHeader } from '#ui/screen-header.tsx'
import { PrivacyNote } from './components/privacy-note.tsx'
import { RegistrationSteps } from './components/registration-steps.tsx'
import { suggestEmail } from './email-domain-model.ts'
import { fieldErrorText, profileErrorsOf } from './form-model.ts'
import {
  discardRegistration,
  discardRegistrationAtLogin,
  dismissDraftNotice,
  updateRegistrationInput,
  useRegistration,
} from './store.ts'

/** First registration step: e-mail address and password, validated by the server. */
export function RegisterCredentialsScreen() {
  const { t } = useTranslation('accounts')
  const language = useLanguage()
  const [, navigate] = useLocation()
  const phase = useSession(state => state.phase)
  const input = useRegistration(state => state.input)
  const isDraft = useRegistration(state => state.isDraft)
  useEffect(discardRegistrationAtLogin, [])
  const [problem, setProblem] = useState('')
  const errors = profileErrorsOf(input, 1, useThisYear())
  const shown = useShownErrors<ProfileField>(errors)
  if (phase === 'started') return <Redirect to="/home" replace />

  const email = input.email ?? ''
  const meant = suggestEmail(email)
  const password = input.password ?? ''
  const confirmPassword = input.confirmPassword ?? ''
  const change = (changes: ProfileInput) => {
    setProblem('')
    updateRegistrationInput({ ...input, ...changes })
  }
  const errorOf = (field: ProfileField) => {
    const error = shown.errorOf(field) && errors[field]
    return error && t(...fieldErrorText(field, error, input))
  }
  const submit = async () => {
    setProblem('')
    try {
      const answer = await withProgress(api.checkEmailPassword({ body: { email, password, confirmPassword } }))
      if (answer.status === 'Ok') {
        dismissDraftNotice()
        navigate('/register2')
      } else setProblem(answer.message)
    } catch (error) {
      setProblem(errorMessageOf(error, t('noAnswer')))
    }
  }
  return (
    <>
      <ScreenHeader title={t('register.title')} />
      <RegistrationSteps step={1} />
      <Form
        isValid={Object.keys(errors).length === 0}
        onSubmit={submit}
        onReach={shown.showAll}
        submitLabel={t('next')}
        problem={problem}
        back={
          <ButtonLink href="/" onClick={discardRegistration} look="ghost">
            {t('cancel')}
          </ButtonLink>
        }
      >
        {isDraft && (
          <Text tone="muted" flush role="status">
            {t('register.draft')}
          </Text>
        )}
        <UserNameField
          label={PROFILE_FIELD_LABELS[language].email}
          name="email"
          required
          value={email}
          onChange={value => change({ email: value })}
          onBlur={() => shown.touch('email')}
          error={errorOf('email')}
        />
        <Stack flush hideEmpty role="status">
          {meant && (
            <Button look="text" onClick={() => change({ email: meant })}>
              {t('register.meant', { email: meant })}
            </Button>
          )}
        </Stack>
        <NewPasswordFields
          password={password}
          confirmPassword={confirmPassword}
          onChange={(field, value) => change({ [field]: value })}
          owner={{ email }}
          errorOf={errorOf}
          onTouch={shown.touch}
        />
        <PrivacyNote />
      </Form>
    </>
  )
}
