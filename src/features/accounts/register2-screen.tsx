import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Redirect, useLocation } from 'wouter'
import { useSession } from '#features/session/store.ts'
import { ButtonLink } from '#ui/button.tsx'
import { ScreenHeader } from '#ui/screen-header.tsx'
import { ProfileForm } from './components/profile-form.tsx'
import { RegistrationSteps } from './components/registration-steps.tsx'
import { discardRegistrationAtLogin, updateRegistrationInput, useRegistration } from './store.ts'

/** Second registration step: personal data. */
export function RegisterPersonalDataScreen() {
  const { t } = useTranslation('accounts')
  const [, navigate] = useLocation()
  const phase = useSession(state => state.phase)
  const input = useRegistration(state => state.input)
  useEffect(discardRegistrationAtLogin, [])
  if (phase === 'started' || !input.email) return <Redirect to="/home" replace />
  // After a reload, the draft lacks the password, which only the first step asks for.
  if (!input.password) return <Redirect to="/register1" replace />
  return (
    <>
      <ScreenHeader title={t('register.title')} />
      <RegistrationSteps step={2} />
      <ProfileForm
        step={2}
        input={input}
        onChange={updateRegistrationInput}
        onSubmit={async () => navigate('/register3')}
        submitLabel={t('next')}
        back={
          <ButtonLink href="/register1" look="ghost">
            {t('back')}
          </ButtonLink>
        }
      />
    </>
  )
}
