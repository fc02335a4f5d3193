import { useTranslation } from 'react-i18next'
import type { ResponseOf } from '#contract/endpoint.ts'
import type { listDuplicates } from '#contract/office/office.ts'
import { ActButton } from '#office/frame/components/act-button.tsx'
import { OfficePage } from '#office/frame/components/office-page.tsx'
import { ReadTable } from '#office/frame/components/read-table.tsx'
import { RecordLink } from '#office/frame/components/record-link.tsx'
import type { Column } from '#office/frame/components/table-cells.tsx'
import { useCompleteList } from '#office/frame/list-resource.ts'
import { mergePeopleRequest } from './components/merge-fields.tsx'

type Pair = ResponseOf<typeof listDuplicates>['items'][number]

/** Pairs of accounts that may belong to the same person, each with a button to merge them. */
export function DuplicatesScreen() {
  const { t } = useTranslation('office-people')
  const reading = useCompleteList('listDuplicates')
  const sayOne = ({ name, email, personnelNumber, yearOfBirth }: Pair['person']) =>
    [name || t('noName'), personnelNumber, yearOfBirth, email].filter(Boolean).join(', ')
  const show = ({ id, name, email, personnelNumber, yearOfBirth }: Pair['person']) => (
    <>
      <RecordLink kind="people" id={id}>
        {name || t('noName')}
      </RecordLink>
      <small>{[personnelNumber, yearOfBirth, email].filter(Boolean).join(', ')}</small>
    </>
  )
  const columns: Column<Pair>[] = [
    {
      key: 'person',
      label: t('duplicates.keep'),
      value: ({ person }) => sayOne(person),
      show: ({ person }) => show(person),
      isName: true,
    },
    {
      key: 'other',
      label: t('duplicates.other'),
      value: ({ other }) => sayOne(other),
      show: ({ other }) => show(other),
    },
    { key: 'why', label: t('duplicates.why'), value: ({ why }) => t(`duplicates.${why}`), isWideOnly: true },
  ]
  return (
    <OfficePage title={t('duplicates.title')} lead={t('duplicates.lead')}>
      <ReadTable
        caption={t('duplicates.title')}
        columns={columns}
        reading={reading}
        idOf={({ person, other }) => `${person.id} ${other.id}`}
        empty={t('duplicates.none')}
        actions={({ person, other }) => <ActButton begin={() => mergePeopleRequest(person, other)} />}
      />
    </OfficePage>
  )
}
