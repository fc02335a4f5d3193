import i18next from 'i18next'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ResponseOf } from '#contract/endpoint.ts'
import type { listRights } from '#contract/office/office.ts'
import { RIGHTS, type Right } from '#contract/values.ts'
import { useSession } from '#features/session/store.ts'
import { useResource } from '#lib/resource.ts'
import { ChoiceField } from '#ui/choice-field.tsx'
import { CheckLabel } from '#ui/layout.tsx'
import { TextField } from '#ui/text-field.tsx'
import { type ActDraft, type ActRequest, type InitialActDraft, startAct } from './act-store.ts'
import { ActButton } from './components/act-button.tsx'
import { inviteRequest } from './components/invite-fields.tsx'
import { OfficePage } from './components/office-page.tsx'
import { ReadTable } from './components/read-table.tsx'
import { RecordLink } from './components/record-link.tsx'
import type { Column } from './components/table-cells.tsx'
import { useCompleteList } from './list-resource.ts'

const t = i18next.getFixedT(null, 'office')

type Holder = ResponseOf<typeof listRights>['items'][number]
type Fields = { act: InitialActDraft<'grant-right'>; change(fields: Partial<ActDraft<'grant-right'>>): void }

function GrantFields({ act, change }: Fields) {
  const { t } = useTranslation('office')
  const [email, setEmail] = useState(act.email ?? '')
  return (
    <>
      <TextField
        label={t('rights.email')}
        hint={t('rights.emailHint')}
        type="email"
        required
        value={email}
        onChange={text => {
          setEmail(text)
          change({ email: text.trim() })
        }}
      />
      <ChoiceField
        name="right"
        label={t('rights.right')}
        value={act.right ?? ''}
        options={RIGHTS.map(right => ({ value: right, label: t(`right.${right}`) }))}
        onChange={right => change({ right })}
      />
    </>
  )
}

/** Changes to the user's own permissions take effect immediately. */
const refreshSession = () => void useSession.getState().check()

const grant = (email = '', right: Right = 'programme'): ActRequest<'grant-right'> => ({
  act: { kind: 'grant-right', email, right },
  title: t('rights.grant'),
  ...(email === '' ? { form: GrantFields } : { about: `${email}: ${t(`right.${right}`)}` }),
  missing: ({ email: given = '' }) => (/^\S+@\S+\.\S+$/.test(given) ? [] : [t('rights.email')]),
  undo: (_answer, act) => revoke(act.email, act.right),
  onDone: refreshSession,
})

const revoke = (email: string, right: Right): ActRequest<'revoke-right'> => ({
  act: { kind: 'revoke-right', email, right },
  title: t('rights.revoke'),
  about: `${email}: ${t(`right.${right}`)}`,
  undo: () => grant(email, right),
  onDone: refreshSession,
})

/** Table of people and permissions. Each checkbox grants or revokes a permission after a preview. */
export function RightsScreen() {
  const { t } = useTranslation('office')
  const reading = useCompleteList('listRights')
  const isPasskeyRequired = useResource('listRights', {}).data?.isPasskeyRequired ?? true
  const columns: Column<Holder>[] = [
    {
      key: 'name',
      label: t('rights.name'),
      value: ({ name, email }) => name || email,
      show: ({ webUserId, name, email }) => (
        <RecordLink kind="people" id={webUserId}>
          {name || email}
        </RecordLink>
      ),
      isName: true,
    },
    { key: 'email', label: t('rights.email'), value: ({ email }) => email, isWideOnly: true },
    ...RIGHTS.map((right): Column<Holder> => {
      const show = ({ name, email, rights, pending }: Holder) => {
        const isPending = pending.includes(right) && !rights.includes(right)
        const isGiven = isPending || rights.includes(right)
        return (
          <CheckLabel as="span">
            <input
              type="checkbox"
              aria-label={`${t(`right.${right}`)}: ${name || email}${isPending ? ` (${t('rights.invited')})` : ''}`}
              checked={isGiven}
              onChange={() => startAct(isGiven ? revoke(email, right) : grant(email, right))}
            />
            {isPending && <span aria-hidden>{t('rights.invited')}</span>}
          </CheckLabel>
        )
      }
      return {
        key: right,
        label: t(`right.${right}`),
        value: ({ rights, pending }) => {
          if (rights.includes(right)) return t('record.yes')
          return t(pending.includes(right) ? 'rights.invited' : 'record.no')
        },
        show,
        fold: show,
      }
    }),
    { key: 'passkeys', label: t('rights.passkeys'), value: ({ passkeys }) => passkeys, isWideOnly: true },
  ]
  return (
    <OfficePage
      title={t('rights.title')}
      lead={t(isPasskeyRequired ? 'rights.lead' : 'rights.leadWithoutPasskey')}
      actions={
        <>
          <ActButton look="ghost" begin={() => grant()} />
          <ActButton look="primary" begin={() => inviteRequest([])} />
        </>
      }
    >
      <ReadTable
        caption={t('rights.title')}
        columns={columns}
        reading={reading}
        idOf={({ webUserId }) => webUserId}
        hasNoSearch
      />
    </OfficePage>
  )
}
