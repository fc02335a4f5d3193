import { useTranslation } from 'react-i18next'
import type { ResponseOf } from '#contract/endpoint.ts'
import type { listTokens } from '#contract/office/connections.ts'
import { SCOPES } from '#contract/values.ts'
import { useLanguage } from '#lib/use-language.ts'
import { CheckLabel } from '#ui/layout.tsx'
import { TextField } from '#ui/text-field.tsx'
import type { ActDraft, ActRequest, InitialActDraft } from '../act-store.ts'
import { useCompleteList } from '../list-resource.ts'

import { createServiceToken, formatWallClockTime } from '../model.ts'

import { ActButton } from './act-button.tsx'
import { DateTimeField } from './date-time-field.tsx'
import { ReadTable } from './read-table.tsx'
import type { Column } from './table-cells.tsx'

type Token = ResponseOf<typeof listTokens>['items'][number]
type Form = { act: InitialActDraft<'create-token'>; change(fields: Partial<ActDraft<'create-token'>>): void }

function TokenFields({ act, change }: Form) {
  const { t } = useTranslation('office')
  const scopes = act.scopes ?? []
  return (
    <>
      <TextField
        label={t('connections.program')}
        hint={t('connections.programHint')}
        required
        value={act.name ?? ''}
        onChange={name => change({ name })}
      />
      <fieldset>
        <legend>{t('connections.scope')}</legend>
        {SCOPES.map(scope => (
          <CheckLabel key={scope}>
            <input
              type="checkbox"
              checked={scopes.includes(scope)}
              onChange={event =>
                change({
                  scopes: event.currentTarget.checked ? [...scopes, scope] : scopes.filter(other => other !== scope),
                })
              }
            />
            {t(`connections.scopes.${scope}`)}
          </CheckLabel>
        ))}
      </fieldset>
      <DateTimeField
        kind="date"
        label={t('connections.expiresOn')}
        required
        value={act.expiresOn ?? ''}
        onChange={expiresOn => change({ expiresOn })}
      />
    </>
  )
}

/** Button that creates an API token. @param onMade receives the token, of which the server stores only a hash */
export function CreateTokenButton({ onMade }: { onMade: (token: string) => void }) {
  const { t } = useTranslation('office')
  const createToken = (): ActRequest<'create-token'> => ({
    act: { kind: 'create-token', token: createServiceToken(), scopes: [] },
    title: t('connections.createToken'),
    form: TokenFields,
    missing: ({ name = '', expiresOn = '', scopes = [] }) => [
      ...(name.trim() === '' ? [t('connections.program')] : []),
      ...(scopes.length === 0 ? [t('connections.scope')] : []),
      ...(expiresOn === '' ? [t('connections.expiresOn')] : []),
    ],
    onDone: (_answer, { token }) => onMade(token),
  })
  return <ActButton look="primary" begin={createToken} />
}

/** Table of the API tokens for external programs. */
export function TokenTable() {
  const { t } = useTranslation('office')
  const language = useLanguage()
  const tokens = useCompleteList('listTokens')
  const revokeToken = ({ tokenId, name }: Token): ActRequest<'revoke-token'> => ({
    act: { kind: 'revoke-token', tokenId },
    title: t('connections.revokeToken'),
    about: name,
  })
  const columns: Column<Token>[] = [
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
      show: ({ lastUsedAt }) =>
        lastUsedAt === null ? t('connections.never') : formatWallClockTime(lastUsedAt, language),
      isWideOnly: true,
    },
  ]
  return (
    <ReadTable
      caption={t('connections.tokens')}
      name="tokens"
      columns={columns}
      reading={tokens}
      idOf={({ tokenId }) => tokenId}
      empty={t('connections.noTokens')}
      actions={token => token.isWorking && <ActButton begin={() => revokeToken(token)} />}
    />
  )
}
