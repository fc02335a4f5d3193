import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import buttons from '#components/button.module.css'
import form from '#components/form.module.css'
import { messageOf } from '#lib/api-error.ts'
import { withProgress } from '#lib/progress.ts'
import { saveFile } from '#lib/save-file.ts'
import { showError } from '#lib/toast.ts'
import { exportPersonalData } from '../api.ts'
import { toReadableText } from '../data-model.ts'
import { DeletionDialog } from './deletion-dialog.tsx'
import classes from './personal-data.module.css'

/** Download of all data about the person, and deletion of the account. */
export function PersonalData() {
  const { t } = useTranslation('accounts')
  const [isDeleting, setIsDeleting] = useState(false)

  const download = async (kind: 'readable' | 'json') => {
    try {
      const data = await withProgress(exportPersonalData())
      const isReadable = kind === 'readable'
      const text = isReadable
        ? toReadableText(data, (key, otherwise) => t(key, { defaultValue: otherwise }))
        : JSON.stringify(data, null, 2)
      const type = isReadable ? 'text/plain;charset=utf-8' : 'application/json'
      saveFile(new Blob([text], { type }), `${t('data.fileName')}.${isReadable ? 'txt' : 'json'}`)
    } catch (error) {
      showError(messageOf(error, t('data.noAnswer')))
    }
  }
  return (
    <>
      <section className={classes.part} aria-labelledby="personal-data">
        <h2 id="personal-data">{t('data.title')}</h2>
        <p className={form.note}>{t('data.text')}</p>
        <div className={form.actions}>
          {(['readable', 'json'] as const).map(kind => (
            <button
              key={kind}
              type="button"
              className={`${buttons.button} ${buttons.ghost}`}
              onClick={() => download(kind)}
            >
              {t(`data.${kind}`)}
            </button>
          ))}
        </div>
      </section>
      <section className={classes.part} aria-labelledby="deletion">
        <h2 id="deletion">{t('deletion.title')}</h2>
        <p className={form.note}>{t('deletion.text')}</p>
        <ul className={form.note}>
          {(['goes', 'stays', 'why', 'courses'] as const).map(point => (
            <li key={point}>{t(`deletion.${point}`)}</li>
          ))}
        </ul>
        <button type="button" className={classes.delete} onClick={() => setIsDeleting(true)}>
          {t('deletion.start')}
        </button>
      </section>
      {isDeleting && <DeletionDialog onClose={() => setIsDeleting(false)} />}
    </>
  )
}
