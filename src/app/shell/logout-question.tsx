import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '#components/confirm-dialog.tsx'
import { useSession } from '#features/session/store.ts'
import { countUnsent, useLogoutQuestion } from '../logout.ts'

/** Asks before someone logs out whose ticks are still on this phone only. */
export function LogoutQuestion() {
  const { t } = useTranslation('attendance')
  const close = () => useLogoutQuestion.setState({ isOpen: false })
  return (
    <ConfirmDialog
      title={t('logout.title')}
      text={t('logout.text', { count: countUnsent() })}
      confirmLabel={t('logout.leave')}
      cancelLabel={t('logout.stay')}
      onCancel={close}
      onConfirm={() => {
        close()
        useSession.getState().logout()
      }}
    />
  )
}
