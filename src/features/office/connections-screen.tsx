import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '#components/button.tsx'
import { ChoiceField } from '#components/choice-field.tsx'
import { piece } from '#components/pieces.ts'
import { TextField } from '#components/text-field.tsx'
import { listTokens, listWebhooks } from '#contract/connections.ts'
import type { ResponseOf } from '#contract/endpoint.ts'
import { SCOPES } from '#contract/scopes.ts'
import { WEBHOOK_KINDS } from '#contract/webhook-kinds.ts'
import { useLanguage } from '#lib/use-language.ts'
import { type ActRequest, type Draft, type Opening, startAct } from './act-store.ts'
import { Deliveries } from './components/deliveries.tsx'
import { DeskPage } from './components/desk-page.tsx'
import { DeskTable } from './components/desk-table.tsx'
import { ReadingState } from './components/reading-state.tsx'
import type { Column } from './components/table-cells.tsx'
import { WhenField } from './components/when-field.tsx'
import { createSecret, sayMoment } from './model.ts'
import { useAddressValue } from './use-address-value.ts'
import { useList } from './use-read.ts'

type Token = ResponseOf<typeof listTokens>['items'][number]
type Webhook = ResponseOf<typeof listWebhooks>['items'][number]
type TokenForm = { act: Opening<'create-token'>; change(fields: Partial<Draft<'create-token'>>): void }
type WebhookForm = { act: Opening<'save-webhook'>; change(fields: Partial<Draft<'save-webhook'>>): void }

function TokenFields({ act, change }: TokenForm) {
  const { t } = useTranslation('office')
  return (
    <>
      <TextField
        label={t('connections.program')}
        hint={t('connections.programHint')}
        required
        value={act.name ?? ''}
        onChange={name => change({ name })}
      />
      <ChoiceField
        name="scope"
        label={t('connections.scope')}
        value={act.scopes?.[0] ?? 'lists'}
        options={SCOPES.map(scope => ({ value: scope, label: t(`connections.scopes.${scope}`) }))}
        onChange={scope => change({ scopes: [scope] })}
      />
      <WhenField
        kind="date"
        label={t('connections.expiresOn')}
        required
        value={act.expiresOn ?? ''}
        onChange={expiresOn => change({ expiresOn })}
      />
    </>
  )
}

function WebhookFields({ act, change }: WebhookForm) {
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
          <label key={kind} className={piece('check')}>
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
          </label>
        ))}
      </fieldset>
    </>
  )
}

export function ConnectionsScreen() {
  const { t } = useTranslation('office')
  const language = useLanguage()
  const tokens = useList(listTokens)
  const webhooks = useList(listWebhooks)
  /** shown once: the portal does not keep it */
  const [made, setMade] = useState('')
  /** the receiver whose calls show */
  const [chosen, setChosen] = useAddressValue('receiver')
  const chosenOne = webhooks.data?.find(({ webhookId }) => String(webhookId) === chosen)

  const createToken = (): ActRequest<'create-token'> => ({
    act: { kind: 'create-token', token: createSecret(), scopes: ['lists'] },
    title: t('connections.createToken'),
    confirm: t('connections.createToken'),
    form: TokenFields,
    isReady: ({ name = '', expiresOn = '' }) => name.trim() !== '' && expiresOn !== '',
    onDone: (_answer, { token }) => setMade(token),
  })
  const revokeToken = ({ tokenId, name }: Token): ActRequest<'revoke-token'> => ({
    act: { kind: 'revoke-token', tokenId },
    title: t('connections.revokeToken'),
    about: name,
    confirm: t('connections.revokeToken'),
  })
  const addWebhook = (): ActRequest<'save-webhook'> => ({
    act: { kind: 'save-webhook', secret: createSecret(), kinds: [...WEBHOOK_KINDS] },
    title: t('connections.addWebhook'),
    confirm: t('connections.addWebhook'),
    form: WebhookFields,
    isReady: ({ name = '', url = '', kinds = [] }) =>
      name.trim() !== '' && /^https?:\/\/\S+$/.test(url) && kinds.length > 0,
    onDone: (_answer, { secret = '' }) => setMade(secret),
  })
  const saveWebhook = ({ webhookId, name, url, kinds, active }: Webhook): ActRequest<'save-webhook'> => ({
    act: { kind: 'save-webhook', webhookId, name, url, kinds, active: !active },
    title: t(active ? 'connections.pause' : 'connections.goOn'),
    about: name,
    confirm: t(active ? 'connections.pause' : 'connections.goOn'),
  })
  const removeWebhook = ({ webhookId, name }: Webhook): ActRequest<'remove-webhook'> => ({
    act: { kind: 'remove-webhook', webhookId },
    title: t('connections.removeWebhook'),
    about: name,
    confirm: t('connections.removeWebhook'),
  })
  const tokenColumns: Column<Token>[] = [
    { key: 'name', label: t('connections.program'), value: ({ name }) => name, isName: true },
    {
      key: 'scopes',
      label: t('connections.scope'),
      value: ({ scopes }) => scopes.map(scope => t(`connections.scopes.${scope}`)).join(', '),
    },
    {
      key: 'until',
      label: t('connections.expiresOn'),
      value: ({ expiresOn, isWorking }) => (isWorking ? expiresOn : t('connections.over')),
    },
    {
      key: 'used',
      label: t('connections.lastUsed'),
      value: ({ lastUsedAt }) => lastUsedAt ?? '',
      show: ({ lastUsedAt }) => (lastUsedAt === null ? t('connections.never') : sayMoment(lastUsedAt, language)),
      isWideOnly: true,
    },
  ]
  const webhookColumns: Column<Webhook>[] = [
    { key: 'name', label: t('connections.program'), value: ({ name }) => name, isName: true },
    { key: 'url', label: t('connections.url'), value: ({ url }) => url, isWideOnly: true },
    {
      key: 'state',
      label: t('connections.state'),
      value: ({ active, failingSince, waiting }) =>
        active
          ? failingSince === null
            ? t('connections.takes', { count: waiting })
            : t('connections.failing', { since: sayMoment(failingSince, language), count: waiting })
          : t('connections.paused'),
    },
  ]
  return (
    <DeskPage
      title={t('connections.title')}
      lead={t('connections.lead')}
      actions={
        <>
          <Button look="primary" onClick={() => startAct(createToken())}>
            {t('connections.createToken')}
          </Button>
          <Button look="ghost" onClick={() => startAct(addWebhook())}>
            {t('connections.addWebhook')}
          </Button>
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
      {tokens.data === null ? (
        <ReadingState reading={tokens} />
      ) : (
        <DeskTable
          caption={t('connections.tokens')}
          name="tokens"
          columns={tokenColumns}
          rows={tokens.data}
          idOf={({ tokenId }) => tokenId}
          isLoading={tokens.isLoading}
          empty={t('connections.noTokens')}
          actions={token =>
            token.isWorking && (
              <Button look="text" onClick={() => startAct(revokeToken(token))}>
                {t('connections.revokeToken')}
              </Button>
            )
          }
        />
      )}
      <h2>{t('connections.webhooks')}</h2>
      {webhooks.data === null ? (
        <ReadingState reading={webhooks} />
      ) : (
        <DeskTable
          caption={t('connections.webhooks')}
          name="webhooks"
          columns={webhookColumns}
          rows={webhooks.data}
          idOf={({ webhookId }) => webhookId}
          isLoading={webhooks.isLoading}
          empty={t('connections.noWebhooks')}
          actions={webhook => (
            <>
              <Button look="text" onClick={() => setChosen(String(webhook.webhookId))}>
                {t('connections.showCalls')}
              </Button>
              <Button look="text" onClick={() => startAct(saveWebhook(webhook))}>
                {t(webhook.active ? 'connections.pause' : 'connections.goOn')}
              </Button>
              <Button look="text" onClick={() => startAct(removeWebhook(webhook))}>
                {t('connections.removeWebhook')}
              </Button>
            </>
          )}
        />
      )}
      {chosenOne && <Deliveries key={chosenOne.webhookId} {...chosenOne} />}
    </DeskPage>
  )
}
