import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '#components/button.tsx'
import { piece } from '#components/pieces.ts'
import { FIELD_NAMES } from '#contract/person.ts'
import { messageOf } from '#lib/api-error.ts'
import { withProgress } from '#lib/progress.ts'
import { saveFile } from '#lib/save-file.ts'
import { showError } from '#lib/toast.ts'
import { useLanguage } from '#lib/use-language.ts'
import { exportPersonalData } from '../api.ts'
import { toReadableText } from '../data-model.ts'
import { DeletionDialog } from './deletion-dialog.tsx'
import { OwnReads } from './own-reads.tsx'

/** Download of all data about the person, and deletion of the account. */
export function PersonalData() {
  const { t } = useTranslation('accounts')
  const language = useLanguage()
  const [isDeleting, setIsDeleting] = useState(false)

  const download = async (kind: 'readable' | 'json') => {
    try {
      const data = await withProgress(exportPersonalData())
      const isReadable = kind === 'readable'
      const text = isReadable
        ? toReadableText(data, (key, otherwise) => t(key, { defaultValue: otherwise }), FIELD_NAMES[language])
        : JSON.stringify(data, null, 2)
      const type = isReadable ? 'text/plain;charset=utf-8' : 'application/json'
      saveFile(new Blob([text], { type }), `${t('data.fileName')}.${isReadable ? 'txt' : 'json'}`)
    } catch (error) {
      showError(messageOf(error, t('data.noAnswer')))
    }
  }
  return (
    <>
      <section className={piece('stack', 'flush', 'part')} aria-labelledby="personal-data">
        <h2 id="personal-data">{t('data.title')}</h2>
        <p className={piece('muted', 'flush')}>{t('data.text')}</p>
        <div className={piece('actions')}>
          {(['readable', 'json'] as const).map(kind => (
            <Button key={kind} look="ghost" onClick={() => download(kind)}>
              {t(`data.${kind}`)}
            </Button>
          ))}
        </div>
      </section>
      <OwnReads />
      <section className={piece('stack', 'flush', 'part')} aria-labelledby="deletion">
        <h2 id="deletion">{t('deletion.title')}</h2>
        <p className={piece('muted', 'flush')}>{t('deletion.text')}</p>
        <ul className={piece('muted', 'marked')}>
          {(['goes', 'stays', 'why', 'courses'] as const).map(point => (
            <li key={point}>{t(`deletion.${point}`)}</li>
          ))}
        </ul>
        <Button look="danger" className={piece('start')} onClick={() => setIsDeleting(true)}>
          {t('deletion.start')}
        </Button>
      </section>
      {isDeleting && <DeletionDialog onClose={() => setIsDeleting(false)} />}
    </>
  )
}
