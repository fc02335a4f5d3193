import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PROFILE_FIELD_LABELS } from '#contract/tables/person.ts'
import { CurrentPasswordDialog } from '#features/session/components/present-password-dialog.tsx'
import { useSession } from '#features/session/store.ts'
import { api } from '#lib/api.ts'
import { errorMessageOf } from '#lib/api-error.ts'
import { withProgress } from '#lib/progress.ts'
import { saveFile } from '#lib/save-file.ts'
import { showError, showSuccess } from '#lib/toast.ts'
import { useLanguage } from '#lib/use-language.ts'
import { Button } from '#ui/button.tsx'
import { Actions, Box, Stack, Text } from '#ui/layout.tsx'
import { styles } from '#ui/styles.ts'
import { createDataFile, DATA_FILE_FORMATS, type DataFileFormat, type TranslateWithFallback } from '../data-model.ts'
import { useDeletionReport } from '../deletion-store.ts'
import { OwnAccessLog } from './own-access-log.tsx'

/** Deletes the account once the password is confirmed; the session ends with it. */
function DeletionDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('accounts')
  const logout = useSession(state => state.logout)
  const [problem, setProblem] = useState('')

  const remove = async (password: string) => {
    setProblem('')
    try {
      const answer = await withProgress(api.deleteAccount({ body: { password } }))
      if (answer.status !== 'Ok') return setProblem(answer.message)
      showSuccess(answer.message)
      useDeletionReport.setState({ kept: answer.kept })
      await logout()
    } catch (error) {
      setProblem(errorMessageOf(error, t('deletion.noAnswer')))
    }
  }
  return (
    <CurrentPasswordDialog
      title={t('deletion.title')}
      text={t('deletion.question')}
      submitLabel={t('deletion.confirm')}
      problem={problem}
      onSubmit={remove}
      onClose={onClose}
    />
  )
}

export function PersonalData() {
  const { t } = useTranslation('accounts')
  const language = useLanguage()
  const [isDeleting, setIsDeleting] = useState(false)

  const download = async (kind: DataFileFormat) => {
    try {
      const data = await withProgress(api.exportPersonalData())
      const texts: TranslateWithFallback = (key, otherwise) => t(key, { defaultValue: otherwise })
      saveFile(...createDataFile(t('data.fileName'), kind, data, texts, PROFILE_FIELD_LABELS[language]))
    } catch (error) {
      showError(errorMessageOf(error, t('data.noAnswer')))
    }
  }
  return (
    <>
      <Stack as="section" flush part aria-labelledby="personal-data">
        <h2 id="personal-data">{t('data.title')}</h2>
        <Text tone="muted" flush>
          {t('data.text')}
        </Text>
        <Actions>
          {DATA_FILE_FORMATS.map(kind => (
            <Button key={kind} look="ghost" onClick={() => download(kind)}>
              {t(`data.${kind}`)}
            </Button>
          ))}
        </Actions>
      </Stack>
      <OwnAccessLog />
      <Stack as="section" flush part aria-labelledby="deletion">
        <h2 id="deletion">{t('deletion.title')}</h2>
        <Text tone="muted" flush>
          {t('deletion.text')}
        </Text>
        <Box as="ul" tone="muted" bullets>
          {(['goes', 'stays', 'why', 'courses'] as const).map(point => (
            <li key={point}>{t(`deletion.${point}`)}</li>
          ))}
        </Box>
        <Button look="danger" className={styles({ align: 'start' })} onClick={() => setIsDeleting(true)}>
          {t('deletion.start')}
        </Button>
      </Stack>
      {isDeleting && <DeletionDialog onClose={() => setIsDeleting(false)} />}
    </>
  )
}
