import { useTranslation } from 'react-i18next'
import { formatDate, formatMoney } from '#contract/words.ts'
import { api } from '#lib/api.ts'
import { errorMessageOf } from '#lib/api-error.ts'
import { withProgress } from '#lib/progress.ts'
import { saveFile } from '#lib/save-file.ts'
import { showError } from '#lib/toast.ts'
import { Button } from '#ui/button.tsx'
import { Card, Row, Stack, Text } from '#ui/layout.tsx'
import type { OwnCosts } from '../resource.ts'

const dayOf = (date: string) => {
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number)
  return formatDate({ year, month, day })
}

/** The user's invoices, which can be downloaded as PDF. */
export function OwnInvoices({ invoices }: { invoices: OwnCosts['invoices'] }) {
  const { t } = useTranslation('costs')
  const download = async (number: string) => {
    try {
      const file = await withProgress(api.getOwnInvoice({ params: { file: `${number}.pdf` } }))
      saveFile(file, file.name)
    } catch (error) {
      showError(errorMessageOf(error, t('invoice.needsNetwork')))
    }
  }
  if (invoices.length === 0) return null
  return (
    <Card gap="s" layout="stack" aria-labelledby="invoices">
      <Text as="h2" id="invoices" variant="heading" flush>
        {t('invoice.title')}
      </Text>
      <Stack as="ul" gap="s">
        {invoices.map(({ number, dueOn, amount, state }) => (
          <Row as="li" key={number} justify="between">
            <Text as="span" grow>
              {number} · {formatMoney(amount)}
              <Text as="small" size="s" block tone={state === 'overdue' ? 'bad' : 'muted'}>
                {t(`invoice.state.${state}`, { day: dayOf(dueOn) })}
              </Text>
            </Text>
            <Button
              look="quiet"
              isPill
              aria-label={t('invoice.open', { number })}
              onClick={() => void download(number)}
            >
              PDF
            </Button>
          </Row>
        ))}
      </Stack>
    </Card>
  )
}
