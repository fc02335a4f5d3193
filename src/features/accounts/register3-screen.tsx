import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, Redirect, useLocation } from 'wouter'
import type { ProfileInput } from '#contract/tables/person.ts'
import { EMPLOYEE_STATUS, type EmployeeStatus } from '#contract/values.ts'
import { useCompanyLogin } from '#features/session/company-store.ts'
import { useSession } from '#features/session/store.ts'
import { api } from '#lib/api.ts'
import { errorMessageOf, NoResponseError } from '#lib/api-error.ts'
import { withProgress } from '#lib/progress.ts'
import { ButtonLink } from '#ui/button.tsx'
import { Text } from '#ui/layout.tsx'
import { ScreenHeader } from '#ui/screen-header.tsx'
import { ProfileForm } from './components/profile-form.tsx'
import { RegistrationSteps } from './components/registration-steps.tsx'
import { profileRequestBody } from './form-model.ts'
import { discardRegistration, discardRegistrationAtLogin, updateRegistrationInput, useRegistration } from './store.ts'

/** Company employees log in with their company account, so they are excluded here. */
const isForForm = (status: EmployeeStatus) =>
  status !== EMPLOYEE_STATUS.Employee && status !== EMPLOYEE_STATUS.Apprentice

/** Third registration step: employment status and the data that it requires. */
export function RegisterEmploymentScreen() {
  const { t } = useTranslation(['accounts', 'consents'])
  const [, navigate] = useLocation()
  const company = useCompanyLogin()
  const phase = useSession(state => state.phase)
  const input = useRegistration(state => state.input)
  useEffect(discardRegistrationAtLogin, [])
  const [problem, setProblem] = useState('')
  const hasLostAnswer = useRef(false)
  if (phase === 'started' || !input.email) return <Redirect to="/home" replace />
  // After a reload, the draft lacks the password, which only the first step asks for.
  if (!input.password) return <Redirect to="/register1" replace />

  const submit = async (whole: ProfileInput) => {
    setProblem('')
    try {
      const { status, message } = await withProgress(api.register({ body: profileRequestBody(whole) }))
      // The first step verified that the e-mail address is available. A duplicate now means that an earlier request
      // succeeded, although its response was lost.
      const isDone = status === 'Ok' || (status === 'Duplicate' && hasLostAnswer.current)
      if (!isDone) return setProblem(message)
      navigate('/login', { state: { registered: whole.email?.trim() } })
      discardRegistration()
    } catch (error) {
      if (error instanceof NoResponseError) hasLostAnswer.current = true
      setProblem(errorMessageOf(error, t('noAnswer')))
    }
  }
  return (
    <>
      <ScreenHeader title={t('register.title')} />
      <RegistrationSteps step={3} />
      {company && (
        <Text tone="muted" flush>
          {t('register.company')} <Link href="/login">{company.label}</Link>
        </Text>
      )}
      <ProfileForm
        step={3}
        input={input}
        statuses={company ? Object.values(EMPLOYEE_STATUS).filter(isForForm) : undefined}
        onChange={updateRegistrationInput}
        onSubmit={submit}
        submitLabel={t('register.submit')}
        consentLabel={t('consents:register')}
        problem={problem}
        back={
          <ButtonLink href="/register2" look="ghost">
            {t('back')}
          </ButtonLink>
        }
      />
    </>
  )
}
