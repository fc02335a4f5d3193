import { useTranslation } from 'react-i18next'
import { Button } from '#components/button.tsx'
import { Dialog } from '#components/dialog.tsx'
import { piece } from '#components/pieces.ts'
import { formatDate } from '#contract/words.ts'
import { useDeletionReport } from '#features/accounts/deletion-store.ts'

/** After an account deletion: what data are retained, why, and until when. */
export function DeletionReport() {
  const { t } = useTranslation('accounts')
  const kept = useDeletionReport(state => state.kept) ?? []
  const close = () => useDeletionReport.setState({ kept: null })
  return (
    <Dialog
      title={t('deletion.done')}
      onClose={close}
      footer={
        <Button look="plain" onClick={close}>
          {t('ok')}
        </Button>
      }
    >
      <h3 className={piece('name')}>{t('deletion.keptTitle')}</h3>
      <ul className={piece('stack', 'loose')}>
        {kept.map(({ kind, what, why, until }) => (
          <li key={kind} className={piece('flush')}>
            <strong>{what}</strong>
            <p>{why}</p>
            <p className={piece('muted')}>{t('deletion.until', { date: formatDate(until) })}</p>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
