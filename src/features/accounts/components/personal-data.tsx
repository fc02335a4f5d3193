import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import buttons from '#components/button.module.css'
import { Dialog } from '#components/dialog.tsx'
import form from '#components/form.module.css'
import { TextField } from '#components/text-field.tsx'
import { useSession } from '#features/session/store.ts'
import { messageOf } from '#lib/api-error.ts'
import { withProgress } from '#lib/progress.ts'
import { saveFile } from '#lib/save-file.ts'
import { showError, showSuccess } from '#lib/toast.ts'
import { fetchPersonalData, sendDeletion } from '../api.ts'
import { toReadableText } from '../data-model.ts'

/** Download of all data about the person, and deletion of the account. */
export function PersonalData() {
  const { t } = useTranslation('accounts')
  const logout = useSession(state => state.logout)
  const [isAsking, setIsAsking] = useState(false)
  const [password, setPassword] = useState('')
  const [problem, setProblem] = useState('')

  const download = async (isReadable: boolean) => {
    try {
      const data = await withProgress(fetchPersonalData())
      const text = isReadable ? toReadableText(data) : JSON.stringify(data, null, 2)
      const type = isReadable ? 'text/plain;charset=utf-8' : 'application/json'
      saveFile(new Blob([text], { type }), `${t('data.fileName')}.${isReadable ? 'txt' : 'json'}`)
    } catch (error) {
      showError(messageOf(error, t('noAnswer')))
    }
  }
  const remove = async () => {
    setProblem('')
    try {
      const answer = await withProgress(sendDeletion(password))
      if (answer.status !== 'Ok') return setProblem(answer.message)
      showSuccess(answer.message)
      await logout()
    } catch (error) {
      setProblem(messageOf(error, t('noAnswer')))
    }
  }
  return (
    <section className={form.form} style={{ marginTop: 40 }}>
      <h2>{t('data.title')}</h2>
      <p className={form.note}>{t('data.text')}</p>
      <div className={form.actions}>
        <button type="button" className={`${buttons.button} ${buttons.ghost}`} onClick={() => download(true)}>
          {t('data.readable')}
        </button>
        <button type="button" className={`${buttons.button} ${buttons.ghost}`} onClick={() => download(false)}>
          {t('data.json')}
        </button>
      </div>
      <h2>{t('deletion.title')}</h2>
      <p className={form.note}>{t('deletion.text')}</p>
      <div className={form.actions}>
        <button type="button" className={`${buttons.button} ${buttons.ghost}`} onClick={() => setIsAsking(true)}>
          {t('deletion.start')}
        </button>
      </div>
      {isAsking && (
        <Dialog
          title={t('deletion.title')}
          closeLabel={t('cancel')}
          onClose={() => setIsAsking(false)}
          footer={
            <>
              <button
                type="button"
                className={`${buttons.button} ${buttons.ghost} ${buttons.wide}`}
                onClick={() => setIsAsking(false)}
              >
                {t('cancel')}
              </button>
              <button
                type="button"
                className={`${buttons.button} ${buttons.primary} ${buttons.wide}`}
                disabled={password.length < 4}
                onClick={remove}
              >
                {t('deletion.confirm')}
              </button>
            </>
          }
        >
          <p>{t('deletion.question')}</p>
          <TextField
            label={t('deletion.password')}
            name="password"
            type="password"
            autoComplete="current-password"
            value={password}
            onChange={setPassword}
            error={problem || undefined}
          />
        </Dialog>
      )}
    </section>
  )
}
