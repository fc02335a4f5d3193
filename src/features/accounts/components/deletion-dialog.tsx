import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PresentPasswordDialog } from '#features/session/components/present-password-dialog.tsx'
import { useSession } from '#features/session/store.ts'
import { api } from '#lib/api.ts'
import { messageOf } from '#lib/api-error.ts'
import { withProgress } from '#lib/progress.ts'
import { showSuccess } from '#lib/toast.ts'
import { useDeletionReport } from '../deletion-store.ts'

/** Deletes the account after password confirmation, which also ends the session. */
export function DeletionDialog({ onClose }: { onClose: () => void }) {
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
      setProblem(messageOf(error, t('deletion.noAnswer')))
    }
  }
  return (
    <PresentPasswordDialog
      title={t('deletion.title')}
      text={t('deletion.question')}
      submitLabel={t('deletion.confirm')}
      problem={problem}
      onSubmit={remove}
      onClose={onClose}
    />
  )
}
