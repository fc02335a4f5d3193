import { useTranslation } from 'react-i18next'
import { formatDate } from '#contract/words.ts'
import { useDeletionReport } from '#features/accounts/deletion-store.ts'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { Box, Stack, Text } from '#ui/layout.tsx'

/** Shown after an account is deleted: what data is retained, why, and until when. */
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
      <Text as="h3" variant="name">
        {t('deletion.keptTitle')}
      </Text>
      <Stack as="ul" gap="l">
        {kept.map(({ kind, what, why, until }) => (
          <Box as="li" key={kind} flush>
            <strong>{what}</strong>
            <p>{why}</p>
            <Text tone="muted">{t('deletion.until', { date: formatDate(until) })}</Text>
          </Box>
        ))}
      </Stack>
    </Dialog>
  )
}
