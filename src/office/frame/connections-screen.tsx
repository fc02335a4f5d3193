import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '#ui/button.tsx'
import { Card, Text } from '#ui/layout.tsx'
import { OfficePage } from './components/office-page.tsx'
import { CreateTokenButton, TokenTable } from './components/token-table.tsx'
import { AddWebhookButton, WebhookTable } from './components/webhook-table.tsx'

export function ConnectionsScreen() {
  const { t } = useTranslation('office')
  /** the new token or secret; shown only once, because it cannot be retrieved later */
  const [made, setMade] = useState('')
  return (
    <OfficePage
      title={t('connections.title')}
      lead={t('connections.lead')}
      actions={
        <>
          <CreateTokenButton onMade={setMade} />
          <AddWebhookButton onMade={setMade} />
        </>
      }
    >
      {made && (
        <Card as="div" layout="stack" role="status">
          <Text flush>{t('connections.made')}</Text>
          <code>{made}</code>
          <Button look="text" onClick={() => setMade('')}>
            {t('connections.noted')}
          </Button>
        </Card>
      )}
      <h2>{t('connections.tokens')}</h2>
      <TokenTable />
      <h2>{t('connections.webhooks')}</h2>
      <WebhookTable />
    </OfficePage>
  )
}
