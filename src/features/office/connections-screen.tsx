import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '#components/button.tsx'
import { piece } from '#components/pieces.ts'
import { DeskPage } from './components/desk-page.tsx'
import { CreateTokenButton, TokenTable } from './components/token-table.tsx'
import { AddWebhookButton, WebhookTable } from './components/webhook-table.tsx'

export function ConnectionsScreen() {
  const { t } = useTranslation('office')
  /** shown once: the server does not store it */
  const [made, setMade] = useState('')
  return (
    <DeskPage
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
        <div className={piece('box', 'stack')} role="status">
          <p className={piece('flush')}>{t('connections.made')}</p>
          <code>{made}</code>
          <Button look="text" onClick={() => setMade('')}>
            {t('connections.noted')}
          </Button>
        </div>
      )}
      <h2>{t('connections.tokens')}</h2>
      <TokenTable />
      <h2>{t('connections.webhooks')}</h2>
      <WebhookTable />
    </DeskPage>
  )
}
