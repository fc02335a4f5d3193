import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '#ui/confirm-dialog.tsx'
import { endSession, useLogoutConfirmation } from '../logout.ts'

/** Asks for confirmation before logging out while there are unsent attendance changes. */
export function LogoutConfirmation() {
  const { t } = useTranslation('attendance')
  const count = useLogoutConfirmation(state => state.unsent)
  const close = () => useLogoutConfirmation.setState({ unsent: 0 })
  return (
    <ConfirmDialog
      title={t('logout.title')}
      text={t('logout.text', { count })}
      confirmLabel={t('logout.leave')}
      cancelLabel={t('logout.stay')}
      onCancel={close}
      onConfirm={() => {
        close()
        endSession()
      }}
    />
  )
}
