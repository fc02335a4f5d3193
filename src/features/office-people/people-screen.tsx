import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { Button, ButtonLink } from '#components/button.tsx'
import { piece } from '#components/pieces.ts'
import { SearchBox } from '#components/search-box.tsx'
import type { ResponseOf } from '#contract/endpoint.ts'
import { isMixedScript } from '#contract/normalize.ts'
import type { listOfficePeople } from '#contract/office.ts'
import { ActButton } from '#features/office/components/act-button.tsx'
import { DeskPage } from '#features/office/components/desk-page.tsx'
import { inviteRequest } from '#features/office/components/invite-fields.tsx'
import { ReadTable } from '#features/office/components/read-table.tsx'
import type { Column } from '#features/office/components/table-cells.tsx'
import { hasAnyRight } from '#features/office/model.ts'
import { useUrlParam } from '#features/office/use-url-param.ts'
import { useSession } from '#features/session/store.ts'
import { useResource } from '#lib/resource.ts'
import { useCreatePerson } from './components/create-person.tsx'

type Found = ResponseOf<typeof listOfficePeople>['items'][number]

/** Debounce of the search while typing. */
const TYPING_MS = 150
const AT_ONCE = 50

/** The previous result while the next search is running. */
function useFound(search: string) {
  const [asked, setAsked] = useState(search)
  useEffect(() => {
    const timer = setTimeout(() => setAsked(search), TYPING_MS)
    return () => clearTimeout(timer)
  }, [search])
  const reading = useResource('listOfficePeople', { query: { q: asked, limit: AT_ONCE } })
  const [last, setLast] = useState(reading.data)
  if (reading.data !== null && reading.data !== last) setLast(reading.data)
  return { reading, found: reading.data ?? last }
}

export function PeopleScreen() {
  const { t } = useTranslation('office-people')
  const { t: office } = useTranslation('office')
  const [search, setSearch] = useUrlParam('q')
  const isWhole = useSession(state => hasAnyRight(state.session?.rights ?? [], ['bookings']))
  const { reading, found } = useFound(search)
  const columns: Column<Found>[] = [
    {
      key: 'name',
      label: t('field.name'),
      value: ({ name }) => name || t('noName'),
      show: ({ id, name, email }) => (
        <>
          <Link href={`/office/people/${id}`}>{name || t('noName')}</Link>
          {isMixedScript(name + email) && <small className={piece('bad')}> {t('mixedScript')}</small>}
        </>
      ),
      isName: true,
    },
    { key: 'email', label: t('field.email'), value: ({ email }) => email, isWideOnly: true },
  ]
  if (isWhole)
    columns.push(
      { key: 'number', label: t('field.personnelNumber'), value: ({ personnelNumber = '' }) => personnelNumber },
      { key: 'state', label: t('field.state'), value: ({ state = 'proved' }) => t(`state.${state}`), isWideOnly: true },
      {
        key: 'verified',
        label: t('field.verified'),
        value: ({ isVerified }) => t(isVerified ? 'verified.yes' : 'verified.no'),
      },
    )
  const create = useCreatePerson()
  return (
    <DeskPage
      title={t('people.title')}
      lead={t('people.lead')}
      actions={
        isWhole && (
          <>
            <ButtonLink look="quiet" href="/office/hr-list">
              {t('hrList.title')}
            </ButtonLink>
            <ButtonLink look="quiet" href="/office/letters">
              {t('letters.title')}
            </ButtonLink>
            <ActButton look="ghost" begin={() => inviteRequest(office)} />
            <Button look="primary" onClick={create}>
              {t('create.title')}
            </Button>
          </>
        )
      }
    >
      <SearchBox value={search} label={t('people.search')} onChange={setSearch} />
      <ReadTable
        caption={t('people.title')}
        columns={columns}
        reading={{ ...reading, data: found?.items ?? null }}
        idOf={({ id }) => id}
        empty={t('people.none')}
        hasNoSearch
        filters={typeof found?.next === 'string' && <p role="status">{t('people.more', { count: AT_ONCE })}</p>}
      />
    </DeskPage>
  )
}
