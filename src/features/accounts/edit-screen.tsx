import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import type { WebUser } from '#contract/endpoints/accounts.ts'
import { hasConsented } from '#contract/rules/consent-rules.ts'
import type { ProfileInput } from '#contract/tables/person.ts'
import { CurrentPasswordDialog } from '#features/session/components/present-password-dialog.tsx'
import { useSession } from '#features/session/store.ts'
import { api } from '#lib/api.ts'
import { errorMessageOf } from '#lib/api-error.ts'
import { useOnline } from '#lib/online.ts'
import { withProgress } from '#lib/progress.ts'
import { useResource } from '#lib/resource.ts'
import { showSuccess } from '#lib/toast.ts'
import { useThisYear } from '#lib/use-now.ts'
import { ButtonLink } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { Text } from '#ui/layout.tsx'
import { ScreenHeader } from '#ui/screen-header.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { ErrorState } from '#ui/state-panel.tsx'
import { UnsavedChangesGuard } from '#ui/unsaved-changes-guard.tsx'
import { OwnConsents } from './components/own-consents.tsx'
import { PersonalData } from './components/personal-data.tsx'
import { ProfileForm } from './components/profile-form.tsx'
import { isNewEmail, profileErrorsOf, profileRequestBody, profileToInput } from './form-model.ts'

type EditProps = { stored: WebUser; hasInsuranceConsent: boolean }

/** Form for editing the stored profile; returns to the start page after saving. */
function EditProfile({ stored, hasInsuranceConsent }: EditProps) {
  const { t } = useTranslation(['accounts', 'consents'])
  const [, navigate] = useLocation()
  const update = useSession(state => state.update)
  const [input, setInput] = useState(() => profileToInput(stored))
  const thisYear = useThisYear()
  const [isIncomplete] = useState(() => Object.keys(profileErrorsOf(input, 'profile', thisYear)).length > 0)
  const [isSaved, setIsSaved] = useState(false)
  const isChanged = !isSaved && JSON.stringify(input) !== JSON.stringify(profileToInput(stored))
  const [problem, setProblem] = useState('')
  const [toConfirm, setToConfirm] = useState('')
  /** input waiting for password confirmation, which changing the e-mail address requires */
  const [toProve, setToProve] = useState<ProfileInput | null>(null)

  const submit = async (whole: ProfileInput) => {
    setProblem('')
    if (isNewEmail(stored.email, whole.email ?? '')) setToProve(whole)
    else await save(whole, '')
  }
  const save = async (whole: ProfileInput, password: string) => {
    setProblem('')
    try {
      const answer = await withProgress(
        api.editWebUser({ body: { ...profileRequestBody(whole), password, confirmPassword: '' } }),
      )
      if (answer.status !== 'Ok') return setProblem(answer.message)
      update({ isDivisionToSet: false, isProfileToComplete: false })
      setToProve(null)
      setIsSaved(true)
      if (isNewEmail(stored.email, whole.email ?? '')) return setToConfirm(answer.message)
      showSuccess(t('edit.saved'))
      navigate('/')
    } catch (error) {
      setProblem(errorMessageOf(error, t('noAnswer')))
    }
  }
  return (
    <>
      <ProfileForm
        step="profile"
        input={input}
        onChange={changed => {
          setIsSaved(false)
          setInput(changed)
        }}
        onSubmit={submit}
        submitLabel={t('edit.save')}
        consentLabel={hasInsuranceConsent ? undefined : t('consents:save')}
        problem={toProve ? '' : problem}
        isOpen={isIncomplete}
        back={
          <ButtonLink href="/home" look="ghost">
            {t('cancel')}
          </ButtonLink>
        }
      >
        <Text tone="muted" flush>
          {t(isIncomplete ? 'edit.incomplete' : 'edit.emailNote')}
        </Text>
      </ProfileForm>
      {isChanged && (
        <UnsavedChangesGuard
          title={t('edit.leave.title')}
          text={t('edit.leave.text')}
          confirmLabel={t('edit.leave.leave')}
          cancelLabel={t('edit.leave.stay')}
        />
      )}
      {toProve && (
        <CurrentPasswordDialog
          title={t('edit.newEmail')}
          text={t('edit.newEmailQuestion', { email: toProve.email?.trim() })}
          submitLabel={t('edit.save')}
          problem={problem}
          onSubmit={password => save(toProve, password)}
          onClose={() => {
            setProblem('')
            setToProve(null)
          }}
        />
      )}
      {toConfirm && <ConfirmEmailDialog text={toConfirm} onClose={() => navigate('/')} />}
    </>
  )
}

function ConfirmEmailDialog({ text, onClose }: { text: string; onClose: () => void }) {
  const { t } = useTranslation('accounts')
  return (
    <Dialog title={t('edit.emailToConfirm')} onClose={onClose}>
      <p>{text}</p>
      <ButtonLink href="/" look="plain">
        {t('ok')}
      </ButtonLink>
    </Dialog>
  )
}

/** Profile, data export, and account deletion. */
export function EditProfileScreen() {
  const { t } = useTranslation('accounts')
  const isStarted = useSession(state => state.phase === 'started')
  const isOnline = useOnline(state => state.isOnline)
  const profile = useResource('getWebUser', isStarted ? {} : null, withProgress)
  const consents = useResource('listConsents', isStarted ? {} : null)
  const [stored, given] = [profile.data, consents.data?.items]
  const error = profile.error ?? consents.error
  const reload = () => {
    void profile.reload()
    void consents.reload()
  }

  const isLoaded = stored !== null && given !== undefined
  const hasFailed = error !== null || !isOnline
  return (
    <>
      <ScreenHeader title={t('edit.title')} />
      {!isLoaded && hasFailed && (
        <ErrorState title={t('edit.failed')} text={errorMessageOf(error, t('edit.needsNetwork'))} onRetry={reload} />
      )}
      {!isLoaded && !hasFailed && <Skeleton rows={6} height={74} />}
      {isLoaded && (
        <>
          <EditProfile
            // Withdrawing the consent also deletes the insurance number.
            key={stored.bkkNumber}
            stored={stored}
            hasInsuranceConsent={hasConsented(given, 'insurance')}
          />
          <OwnConsents given={given} hasInsuranceNumber={stored.bkkNumber !== ''} onChange={reload} />
          <PersonalData />
        </>
      )}
    </>
  )
}
