import { useTranslation } from 'react-i18next'
import buttons from './button.module.css'
import { Dialog } from './dialog.tsx'

type Props = {
  title: string
  text: string
  confirmLabel: string
  cancelLabel: string
  onConfirm: () => void
  onCancel: () => void
}

/** A question with two answers; Escape and a click outside are the careful one. */
export function ConfirmDialog({ title, text, confirmLabel, cancelLabel, onConfirm, onCancel }: Props) {
  const { t } = useTranslation('shell')
  return (
    <Dialog
      title={title}
      closeLabel={t('close')}
      onClose={onCancel}
      footer={
        <>
          <button type="button" className={`${buttons.button} ${buttons.ghost} ${buttons.wide}`} onClick={onCancel}>
            {cancelLabel}
          </button>
          <button type="button" className={`${buttons.button} ${buttons.primary} ${buttons.wide}`} onClick={onConfirm}>
            {confirmLabel}
          </button>
        </>
      }
    >
      <p>{text}</p>
    </Dialog>
  )
}
