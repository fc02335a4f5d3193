import { useTranslation } from 'react-i18next'
import type { listDeliveries } from '#contract/connections.ts'
import type { ResponseOf } from '#contract/endpoint.ts'
import { useResource } from '#lib/resource.ts'
import { useLanguage } from '#lib/use-language.ts'
import { formatWallClockTime } from '../model.ts'
import { ReadTable } from './read-table.tsx'
import type { Column } from './table-cells.tsx'

type Delivery = ResponseOf<typeof listDeliveries>['items'][number]

/** Maximum number of deliveries listed, newest first. */
const SHOWN = '500'

export function WebhookDeliveries({ webhookId, name }: { webhookId: number; name: string }) {
  const { t } = useTranslation('office')
  const language = useLanguage()
  const reading = useResource('listDeliveries', { params: { id: webhookId }, query: { limit: SHOWN } })
  const stateOf = ({ sentAt, status, error }: Delivery) => {
    if (sentAt !== null) return t('connections.taken', { at: formatWallClockTime(sentAt, language) })
    if (status === null && error === '') return t('connections.waits')
    return t('connections.refused', { why: error || status })
  }
  const columns: Column<Delivery>[] = [
    {
      key: 'at',
      label: t('connections.toldAt'),
      value: ({ createdAt }) => createdAt,
      show: ({ createdAt }) => formatWallClockTime(createdAt, language),
    },
    { key: 'kind', label: t('connections.told'), value: ({ kind }) => t(`connections.kind.${kind}`), isName: true },
    { key: 'state', label: t('connections.state'), value: stateOf },
    { key: 'attempts', label: t('connections.attempts'), value: ({ attempts }) => attempts },
    { key: 'id', label: 'webhook-id', value: ({ eventId }) => eventId, isWideOnly: true },
  ]
  return (
    <>
      <h2>{t('connections.calls', { name })}</h2>
      <ReadTable
        caption={t('connections.calls', { name })}
        name="calls"
        columns={columns}
        reading={{ ...reading, data: reading.data?.items ?? null }}
        idOf={({ eventId }) => eventId}
        empty={t('connections.noCalls')}
      />
    </>
  )
}
