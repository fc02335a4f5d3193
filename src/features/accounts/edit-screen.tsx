import { useCallback, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, Redirect, useLocation } from 'wouter'
import buttons from '#components/button.module.css'
import form from '#components/form.module.css'
import { completeProfile, type ProfileInput } from '#contract/profile-rules.ts'
import { useSession } from '#features/session/store.ts'
import { messageOf } from '#lib/api-error.ts'
import { withProgress } from '#lib/progress.ts'
import { showSuccess } from '#lib/toast.ts'
import { fetchWebUser, sendProfile } from './api.ts'
import { PersonalData } from './components/personal-data.tsx'
import { ProfileForm } from './components/profile-form.tsx'
import { toInput } from './form-model.ts'
import { loadDivisions } from './store.ts'

/** The profile, its personal data for download, and the way out. */
export function EditScreen() {
  const { t } = useTranslation('accounts')
  const [, navigate] = useLocation()
  const { phase, update } = useSession()
  const [input, setInput] = useState<ProfileInput | null>(null)
  const [problem, setProblem] = useState('')

  const load = useCallback(async () => {
    setProblem('')
    loadDivisions()
    try {
      setInput(toInput(await withProgress(fetchWebUser())))
    } catch (error) {
      setProblem(messageOf(error, t('noAnswer')))
    }
  }, [t])
  useEffect(() => {
    if (phase === 'started') load()
  }, [phase, load])

  if (phase === 'none') return <Redirect to="/home" />
  const submit = async () => {
    if (!input) return
    setProblem('')
    try {
      const answer = await withProgress(sendProfile(completeProfile(input)))
      if (answer.status !== 'Ok') return setProblem(answer.message)
      showSuccess(answer.message || t('edit.saved'))
      update({ isDivisionToSet: false })
      navigate('/')
    } catch (error) {
      setProblem(messageOf(error, t('noAnswer')))
    }
  }
  return (
    <div style={{ maxWidth: 560 }}>
      <h1>{t('edit.title')}</h1>
      {problem && (
        <p className={form.problem} role="alert">
          {problem}
        </p>
      )}
      {!input && problem && (
        <button type="button" className={`${buttons.button} ${buttons.ghost}`} onClick={load}>
          {t('retry')}
        </button>
      )}
      {input && (
        <>
          <ProfileForm
            step="profile"
            input={input}
            onChange={setInput}
            onSubmit={submit}
            submitLabel={t('edit.save')}
            back={
              <Link href="/home" className={`${buttons.button} ${buttons.ghost}`}>
                {t('cancel')}
              </Link>
            }
          >
            <p className={form.note}>{t('edit.emailNote')}</p>
          </ProfileForm>
          <PersonalData />
        </>
      )}
    </div>
  )
}
