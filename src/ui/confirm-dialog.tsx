import { useTranslation } from 'react-i18next'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'

type Props = {
  title: string
  text: string
  confirmLabel: string
  /** replaces the label "Cancel" */
  cancelLabel?: string
  onConfirm: () => void
  onCancel: () => void
}

/** Confirmation dialog that is cancelled by Escape or a click outside. */
export function ConfirmDialog({ title, text, confirmLabel, cancelLabel, onConfirm, onCancel }: Props) {
  const { t } = useTranslation('shell')
  return (
    <Dialog
      title={title}
      onClose={onCancel}
      footer={
        <>
          <Button look="ghost" isWide onClick={onCancel}>
            {cancelLabel ?? t('cancel')}
          </Button>
          <Button look="plain" isWide onClick={onConfirm}>
            {confirmLabel}
          </Button>
        </>
      }
    >
      <p>{text}</p>
    </Dialog>
  )
}
