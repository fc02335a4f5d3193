import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { AsOfLine } from '#ui/as-of-line.tsx'
import { Stack } from '#ui/layout.tsx'
import { ScreenHeader } from '#ui/screen-header.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { EmptyState, ErrorState } from '#ui/state-panel.tsx'
import { InboxMessage } from './components/message.tsx'
import { useMessages } from './resource.ts'

/** The inbox, newest message first. When offline, shows the messages of the last visit. */
export function MessagesScreen() {
  const { t } = useTranslation('inbox')
  const { data: messages, phase, asOf, isStale } = useMessages()
  useEffect(() => {
    useMessages.load()
  }, [])
  return (
    <>
      <ScreenHeader title={t('title')} lead={t('lead')} />
      <AsOfLine asOf={asOf} isStale={isStale} />
      {phase === 'loading' && <Skeleton rows={3} height={150} />}
      {phase === 'failed' && <ErrorState title={t('failed')} text={t('failedText')} onRetry={useMessages.load} />}
      {phase === 'ready' && messages.length === 0 && <EmptyState title={t('empty')} text={t('emptyText')} />}
      {messages.length > 0 && (
        <Stack as="ul" gap="l" width="narrow">
          {messages.map(message => (
            <li key={message.id}>
              <InboxMessage message={message} />
            </li>
          ))}
        </Stack>
      )}
    </>
  )
}
