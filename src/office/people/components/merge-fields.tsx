import i18next from 'i18next'
import { useTranslation } from 'react-i18next'
import type { ActResponse } from '#contract/office/office.ts'
import { useResource } from '#lib/resource.ts'
import type { ActDraft, ActRequest, InitialActDraft } from '#office/frame/act-store.ts'
import { PersonSearch } from '#office/frame/components/search-picker.tsx'
import { Table, Text } from '#ui/layout.tsx'
import { formatDay } from '../people-model.ts'

const t = i18next.getFixedT(null, 'office-people')

type Person = { id: number; name: string }
type Fields = { act: InitialActDraft<'merge-people'>; change(fields: Partial<ActDraft<'merge-people'>>): void }

/** Shows the two accounts to be merged side by side. If no second account is given, the user searches for it. */
function MergeFields({ act: { webUserId = 0, intoWebUserId = 0 }, change }: Fields) {
  const { t } = useTranslation(['office-people', 'accounts'])
  const into = useResource('getOfficePerson', { params: { id: intoWebUserId } }).data
  const other = useResource('getOfficePerson', webUserId > 0 ? { params: { id: webUserId } } : null).data
  const clear = () => change({ webUserId: 0 })
  const statusOf = (status: number | undefined) => (status ? t(`accounts:employeeStatus.${status}`) : '')
  const rows = [
    { label: t('field.name'), of: (person: typeof into) => person?.name },
    { label: t('field.email'), of: (person: typeof into) => person?.email },
    { label: t('field.personnelNumber'), of: (person: typeof into) => person?.profile?.personnelNumber },
    { label: t('field.status'), of: (person: typeof into) => statusOf(person?.profile?.employeeStatus) },
    { label: t('field.division'), of: (person: typeof into) => person?.division },
    {
      label: t('field.booked'),
      of: (person: typeof into) => person?.bookings?.filter(({ bookingStatus }) => bookingStatus !== 0).length,
    },
    {
      label: t('merge.lastLogin'),
      of: (person: typeof into) => (person?.lastLoginAt ? formatDay(person.lastLoginAt) : ''),
    },
  ]
  return (
    <>
      <PersonSearch
        label={t('merge.other')}
        chosen={webUserId > 0 ? (other?.name ?? '…') : ''}
        except={intoWebUserId}
        onChoose={id => change({ webUserId: id })}
        onClear={clear}
      />
      {webUserId > 0 && (
        <Table>
          <thead>
            <tr>
              <td />
              <th scope="col">{t('merge.stays')}</th>
              <th scope="col">{t('merge.goes')}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ label, of }) => (
              <tr key={label}>
                <th scope="row">{label}</th>
                <td>{of(into) || '–'}</td>
                <td>{of(other) || '–'}</td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
      <Text tone="muted" flush>
        {t('merge.warning')}
      </Text>
    </>
  )
}

const OWN_DATA = ['documents', 'certificates', 'proofs', 'consents', 'companyLogin'] as const

/** Data that goes over only when both people agree by the link in their e-mail. */
function OwnData({ result }: Pick<ActResponse, 'result'>) {
  const { t, i18n } = useTranslation('office-people')
  const stays = Array.isArray(result.stays) ? result.stays : []
  const kinds = OWN_DATA.filter(kind => stays.includes(kind)).map(kind => t(`merge.own.${kind}`))
  if (kinds.length === 0) return null
  return <Text>{t('merge.ownStays', { kinds: new Intl.ListFormat(i18n.language).format(kinds) })}</Text>
}

/**
 * Prepares the action that merges another account into this one.
 * @param other if absent, the user searches for it in the dialog
 */
export const mergePeopleRequest = (into: Person, other?: Person): ActRequest<'merge-people'> => ({
  act: { kind: 'merge-people', webUserId: other?.id ?? 0, intoWebUserId: into.id },
  title: t('merge.title'),
  about: into.name,
  confirm: t('merge.confirm'),
  isWide: true,
  form: fields => <MergeFields {...fields} />,
  details: OwnData,
  missing: ({ webUserId = 0 }) => (webUserId > 0 ? [] : [t('merge.other')]),
})
