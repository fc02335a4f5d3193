import { useTranslation } from 'react-i18next'
import type { ResponseOf } from '#contract/endpoint.ts'
import type { listDeliveries, listWebhooks } from '#contract/office/connections.ts'
import { WEBHOOK_KINDS } from '#contract/values.ts'
import { useResource } from '#lib/resource.ts'
import { useLanguage } from '#lib/use-language.ts'
import { Button } from '#ui/button.tsx'
import { CheckLabel } from '#ui/layout.tsx'
import { TextField } from '#ui/text-field.tsx'
import type { ActDraft, ActRequest, InitialActDraft } from '../act-store.ts'
import { useCompleteList } from '../list-resource.ts'
import { createWebhookSecret, formatWallClockTime } from '../model.ts'
import { useUrlParam } from '../use-url-param.ts'
import { ActButton } from './act-button.tsx'
import { ReadTable } from './read-table.tsx'
import type { Column } from './table-cells.tsx'

type Webhook = ResponseOf<typeof listWebhooks>['items'][number]
type Form = { act: InitialActDraft<'save-webhook'>; change(fields: Partial<ActDraft<'save-webhook'>>): void }

function WebhookFields({ act, change }: Form) {
  const { t } = useTranslation('office')
  const kinds = act.kinds ?? []
  return (
    <>
      <TextField label={t('connections.program')} required value={act.name ?? ''} onChange={name => change({ name })} />
      <TextField
        label={t('connections.url')}
        hint={t('connections.urlHint')}
        type="url"
        required
        value={act.url ?? ''}
        onChange={url => change({ url: url.trim() })}
      />
      <fieldset>
        <legend>{t('connections.kinds')}</legend>
        {WEBHOOK_KINDS.map(kind => (
          <CheckLabel key={kind}>
            <input
              type="checkbox"
              checked={kinds.includes(kind)}
              onChange={event =>
                change({
                  kinds: event.currentTarget.checked ? [...kinds, kind] : kinds.filter(other => other !== kind),
                })
              }
            />
            {t(`connections.kind.${kind}`)}
          </CheckLabel>
        ))}
      </fieldset>
    </>
  )
}

/** Button that registers a webhook. @param onMade receives the secret, which is never shown again */
export function AddWebhookButton({ onMade }: { onMade: (secret: string) => void }) {
  const { t } = useTranslation('office')
  const addWebhook = (): ActRequest<'save-webhook'> => ({
    act: { kind: 'save-webhook', secret: createWebhookSecret(), kinds: [...WEBHOOK_KINDS] },
    title: t('connections.addWebhook'),
    form: WebhookFields,
    missing: ({ name = '', url = '', kinds = [] }) => [
      ...(name.trim() === '' ? [t('connections.program')] : []),
      ...(/^https?:\/\/\S+$/.test(url) ? [] : [t('connections.url')]),
      ...(kinds.length === 0 ? [t('connections.kinds')] : []),
    ],
    onDone: (_answer, { secret = '' }) => onMade(secret),
  })
  return <ActButton look="ghost" begin={addWebhook} />
}

/** Table of webhook receivers, and the deliveries to the selected one. */
export function WebhookTable() {
  const { t } = useTranslation('office')
  const language = useLanguage()
  const webhooks = useCompleteList('listWebhooks')
  /** id of the receiver whose deliveries are shown */
  const [chosen, setChosen] = useUrlParam('receiver')
  const chosenOne = webhooks.data?.find(({ webhookId }) => String(webhookId) === chosen)
  const saveWebhook = ({ webhookId, name, url, kinds, active }: Webhook): ActRequest<'save-webhook'> => ({
    act: { kind: 'save-webhook', webhookId, name, url, kinds, active: !active },
    title: t(active ? 'connections.pause' : 'connections.goOn'),
    about: name,
  })
  const removeWebhook = ({ webhookId, name }: Webhook): ActRequest<'remove-webhook'> => ({
    act: { kind: 'remove-webhook', webhookId },
    title: t('connections.removeWebhook'),
    about: name,
  })
  const columns: Column<Webhook>[] = [
    { key: 'name', label: t('connections.program'), value: ({ name }) => name, isName: true },
    { key: 'url', label: t('connections.url'), value: ({ url }) => url, isWideOnly: true, isLong: true },
    {
      key: 'state',
      label: t('connections.state'),
      value: ({ active, failingSince, waiting }) =>
        active
          ? failingSince === null
            ? t('connections.takes', { count: waiting })
            : t('connections.failing', { since: formatWallClockTime(failingSince, language), count: waiting })
          : t('connections.paused'),
      isLong: true,
    },
  ]
  return (
    <>
      <ReadTable
        caption={t('connections.webhooks')}
        name="webhooks"
        columns={columns}
        reading={webhooks}
        idOf={({ webhookId }) => webhookId}
        empty={t('connections.noWebhooks')}
        actions={webhook => (
          <>
            <Button look="text" onClick={() => setChosen(String(webhook.webhookId))}>
              {t('connections.showCalls')}
            </Button>
            <ActButton begin={() => saveWebhook(webhook)} />
            <ActButton begin={() => removeWebhook(webhook)} />
          </>
        )}
      />
      {chosenOne && <WebhookDeliveries key={chosenOne.webhookId} {...chosenOne} />}
    </>
  )
}

type Delivery = ResponseOf<typeof listDeliveries>['items'][number]

/** Maximum number of deliveries listed, newest first. */
const SHOWN = '500'

function WebhookDeliveries({ webhookId, name }: { webhookId: number; name: string }) {
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
