import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ChoiceField } from '#components/choice-field.tsx'
import { TextField } from '#components/text-field.tsx'
import { RIGHTS, type Right } from '#contract/rights.ts'
import type { ActRequest, Draft, InitialDraft } from './act-store.ts'
import { ActButton } from './components/act-button.tsx'
import { DeskPage } from './components/desk-page.tsx'
import { inviteRequest } from './components/invite-fields.tsx'
import { ReadTable } from './components/read-table.tsx'
import type { Column } from './components/table-cells.tsx'
import { useList } from './list-resource.ts'

type Held = { id: string; name: string; email: string; right: Right; passkeys: number }
type Fields = { act: InitialDraft<'grant-right'>; change(fields: Partial<Draft<'grant-right'>>): void }

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

export function RightsScreen() {
  const { t } = useTranslation('office')
  const reading = useList('listRights')
  const rows = useMemo(
    () =>
      reading.data?.flatMap(({ webUserId, rights, ...person }) =>
        rights.map((right): Held => ({ id: `${webUserId} ${right}`, right, ...person })),
      ) ?? null,
    [reading.data],
  )
  const grant = (email = '', right: Right = 'programme'): ActRequest<'grant-right'> => ({
    act: { kind: 'grant-right', email, right },
    title: t('rights.grant'),
    form: GrantFields,
    isReady: ({ email: given = '' }) => /^\S+@\S+\.\S+$/.test(given),
    undo: (_answer, act) => revoke(act.email, act.right),
  })
  const revoke = (email: string, right: Right): ActRequest<'revoke-right'> => ({
    act: { kind: 'revoke-right', email, right },
    title: t('rights.revoke'),
    about: `${email}: ${t(`right.${right}`)}`,
    undo: () => grant(email, right),
  })
  const columns: Column<Held>[] = [
    { key: 'name', label: t('rights.name'), value: ({ name }) => name, isName: true },
    { key: 'email', label: t('rights.email'), value: ({ email }) => email, isWideOnly: true },
    { key: 'right', label: t('rights.right'), value: ({ right }) => t(`right.${right}`) },
    { key: 'passkeys', label: t('rights.passkeys'), value: ({ passkeys }) => passkeys, isWideOnly: true },
  ]
  return (
    <DeskPage
      title={t('rights.title')}
      lead={t('rights.lead')}
      actions={
        <>
          <ActButton look="ghost" begin={() => inviteRequest(t, [])} />
          <ActButton look="primary" begin={() => grant()} />
        </>
      }
    >
      <ReadTable
        caption={t('rights.title')}
        columns={columns}
        reading={{ ...reading, data: rows }}
        idOf={({ id }) => id}
        actions={({ email, right }) => <ActButton begin={() => revoke(email, right)} />}
      />
    </DeskPage>
  )
}
