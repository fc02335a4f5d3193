import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SentMessage } from '#contract/office/people.ts'
import { useResource } from '#lib/resource.ts'
import { CompactTable } from '#office/frame/components/compact-table.tsx'
import { LoadingState } from '#office/frame/components/loading-state.tsx'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { Stack, Text } from '#ui/layout.tsx'
import { styles } from '#ui/styles.ts'
import { formatDateTime } from '../people-model.ts'

/**
 * List of sent messages, with the number of e-mails that are waiting, were accepted by a mail server, or were rejected.
 */
export function SentMessages({ messages }: { messages: readonly SentMessage[] }) {
  const { t } = useTranslation('office-people')
  const [shown, setShown] = useState<SentMessage | null>(null)
  if (messages.length === 0) return null
  return (
    <Stack as="section" gap="s" aria-labelledby="sent">
      <Text as="h2" id="sent" variant="heading">
        {t('sent.title')}
      </Text>
      <CompactTable
        caption={t('sent.title')}
        columns={[
          { label: t('message.subject') },
          { label: t('sent.at'), isWideOnly: true },
          { label: t('sent.people'), isNumber: true },
          { label: t('sent.delivered'), isNumber: true },
          { label: t('sent.waiting'), isNumber: true, isWideOnly: true },
          { label: t('sent.refused'), isNumber: true },
        ]}
        rows={messages.map(message => ({
          key: message.recordId,
          cells: [
            message.title || t('sent.erased'),
            formatDateTime(message.at),
            message.people,
            message.delivered,
            message.waiting,
            message.refused > 0 ? (
              <Text as="b" key="refused" tone="bad">
                {message.refused}
              </Text>
            ) : (
              0
            ),
          ],
          actions: message.delivered + message.waiting + message.refused > 0 && (
            <Button look="text" aria-label={`${t('sent.who')}: ${message.title}`} onClick={() => setShown(message)}>
              {t('sent.who')}
            </Button>
          ),
        }))}
      />
      {shown && <Deliveries message={shown} onClose={() => setShown(null)} />}
    </Stack>
  )
}

function Deliveries({ message: { recordId, title }, onClose }: { message: SentMessage; onClose: () => void }) {
  const { t } = useTranslation('office-people')
  const reading = useResource('listMessageDeliveries', { params: { id: recordId } })
  return (
    <Dialog title={title || t('sent.title')} isWide onClose={onClose}>
      <Text size="s">{t('sent.bounces')}</Text>
      {reading.data === null ? (
        <LoadingState reading={reading} />
      ) : (
        <CompactTable
          caption={t('sent.who')}
          most={50}
          columns={[{ label: t('field.name') }, { label: t('sent.state') }]}
          rows={reading.data.items.map(({ webUserId, name, state, at, reason }, index) => ({
            key: index,
            cells: [
              webUserId === null ? t('sent.noAccount') : name || t('noName'),
              <span key="state" className={state === 'refused' ? styles({ tone: 'bad' }) : undefined}>
                {t(`sent.is.${state}`, { at: at ? formatDateTime(at) : '' })}
                {state !== 'delivered' && reason && (
                  <Text as="small" block>
                    {reason}
                  </Text>
                )}
              </span>,
            ],
          }))}
        />
      )}
    </Dialog>
  )
}
