import { useDeferredValue, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import type { MessageFilter } from '#contract/acts/messages.ts'
import type { ResponseOf } from '#contract/endpoint.ts'
import { isMixedScript } from '#contract/normalize.ts'
import type { listOfficePeople } from '#contract/office/office.ts'
import { EMPLOYEE_STATUS, type EmployeeStatus } from '#contract/values.ts'
import { nameInLanguage } from '#contract/words.ts'
import { useDivisions } from '#features/accounts/resource.ts'
import { useSession } from '#features/session/store.ts'
import { useLanguage } from '#lib/use-language.ts'
import { ActButton } from '#office/frame/components/act-button.tsx'
import { FilterSelect, FilterToggle } from '#office/frame/components/filter-chips.tsx'
import { inviteRequest } from '#office/frame/components/invite-fields.tsx'
import { OfficePage } from '#office/frame/components/office-page.tsx'
import { ReadTable } from '#office/frame/components/read-table.tsx'
import { RecordLink } from '#office/frame/components/record-link.tsx'
import type { Column } from '#office/frame/components/table-cells.tsx'
import { useCompleteList } from '#office/frame/list-resource.ts'
import { hasAnyRight } from '#office/frame/model.ts'
import { usePaginatedList } from '#office/frame/use-pages.ts'
import { useDebouncedUrlParam, useUrlParam } from '#office/frame/use-url-param.ts'
import { Button, ButtonLink } from '#ui/button.tsx'
import { Row, Text } from '#ui/layout.tsx'
import { SearchBox } from '#ui/search-box.tsx'
import { messagePathOf } from './audience-model.ts'
import { useCreatePerson } from './components/create-person.tsx'

type Found = ResponseOf<typeof listOfficePeople>['items'][number]

/** @param isWhole whether to include the columns that require the `bookings` permission */
function useColumns(isWhole: boolean): Column<Found>[] {
  const { t } = useTranslation(['office-people', 'accounts'])
  const statusOf = ({ employeeStatus }: Found) => (employeeStatus ? t(`accounts:employeeStatus.${employeeStatus}`) : '')
  return [
    {
      key: 'name',
      label: t('field.name'),
      value: ({ name }) => name || t('noName'),
      show: ({ id, name, email }) => (
        <>
          <RecordLink kind="people" id={id}>
            {name || t('noName')}
          </RecordLink>
          {isMixedScript(name + email) && (
            <Text as="small" tone="bad">
              {' '}
              {t('mixedScript')}
            </Text>
          )}
        </>
      ),
      isName: true,
    },
    { key: 'email', label: t('field.email'), value: ({ email }) => email, isWideOnly: true, isCut: true },
    ...(isWhole
      ? ([
          { key: 'number', label: t('field.personnelNumber'), value: ({ personnelNumber = '' }) => personnelNumber },
          { key: 'status', label: t('field.status'), value: statusOf, isWideOnly: true },
          { key: 'division', label: t('field.division'), value: ({ division = '' }) => division, isWideOnly: true },
          { key: 'booked', label: t('field.booked'), value: ({ booked = 0 }) => booked },
          {
            key: 'state',
            label: t('field.state'),
            value: ({ state = 'proved', isVerified }) =>
              state === 'claimed' || state === 'locked'
                ? t(`office-people:state.${state}`)
                : t(isVerified ? 'verified.yes' : 'verified.no'),
            show: ({ state = 'proved', isVerified }) =>
              state === 'claimed' || state === 'locked' ? (
                t(`office-people:state.${state}`)
              ) : isVerified ? (
                <span role="img" aria-label={t('verified.yes')}>
                  ✓
                </span>
              ) : (
                t('verified.no')
              ),
            isWideOnly: true,
          },
        ] satisfies Column<Found>[])
      : []),
  ]
}

/** Returns the filters stored in the URL as query parameters for the API. */
function useFilters() {
  const [status] = useUrlParam('status')
  const [divisionId] = useUrlParam('division')
  const [seasonId] = useUrlParam('season')
  const [owes] = useUrlParam('owes')
  const [unverified] = useUrlParam('unverified')
  const idOf = (text: string) => (/^\d{1,9}$/.test(text) ? Number(text) : null)
  const [statusNumber, divisionNumber, seasonNumber] = [idOf(status), idOf(divisionId), idOf(seasonId)]
  return {
    ...(statusNumber !== null && { status: statusNumber }),
    ...(divisionNumber !== null && { divisionId: divisionNumber }),
    ...(seasonNumber !== null && { seasonId: seasonNumber }),
    ...(owes && { owes: '1' as const }),
    ...(unverified && { unverified: '1' as const }),
  }
}

function PeopleFilters() {
  const { t } = useTranslation(['office-people', 'accounts'])
  const language = useLanguage()
  const divisions = useDivisions(state => state.data)
  const seasons = useCompleteList('listOfficeSeasons')
  useEffect(() => void useDivisions.load(), [])
  return (
    <Row>
      <FilterSelect
        label={t('field.status')}
        name="status"
        options={Object.values(EMPLOYEE_STATUS).map(value => ({
          value: String(value),
          label: t(`accounts:employeeStatus.${value}`),
        }))}
      />
      <FilterSelect
        label={t('field.division')}
        name="division"
        options={divisions.map(({ id, name }) => ({ value: String(id), label: name }))}
      />
      <FilterSelect
        label={t('field.season')}
        name="season"
        options={(seasons.data ?? []).map(season => ({
          value: String(season.id),
          label: nameInLanguage(language, season),
        }))}
      />
      <FilterToggle label={t('people.unverified')} name="unverified" />
      <FilterToggle label={t('people.owes')} name="owes" />
    </Row>
  )
}

export function PeopleScreen() {
  const { t } = useTranslation('office-people')
  const [search, setSearch] = useDebouncedUrlParam('q')
  const isWhole = useSession(state => hasAnyRight(state.session?.rights ?? [], ['bookings']))
  const filters = useFilters()
  const reading = usePaginatedList('listOfficePeople', { q: useDeferredValue(search), ...filters })
  const { status, divisionId, seasonId, owes, unverified } = filters
  // The filters of this list that a message can use as well.
  const audience = {
    ...(status !== undefined && { employeeStatuses: [status as EmployeeStatus] }),
    ...(divisionId !== undefined && { divisionIds: [divisionId] }),
    ...(seasonId !== undefined && { seasonIds: [seasonId] }),
    ...(owes && { states: seasonId === undefined ? (['owes'] as const) : (['booked', 'owes'] as const) }),
  }
  const isAudience = Object.keys(audience).length > 0 && search === '' && !unverified
  const columns = useColumns(isWhole)
  const create = useCreatePerson()
  return (
    <OfficePage
      title={t('people.title')}
      actions={
        isWhole && (
          <>
            {isAudience && (
              <ButtonLink look="ghost" href={messagePathOf(audience as MessageFilter)}>
                {t('audience.write')}
              </ButtonLink>
            )}
            <ActButton look="ghost" begin={() => inviteRequest()} />
            <Button look="primary" onClick={create}>
              {t('create.title')}
            </Button>
          </>
        )
      }
    >
      <SearchBox value={search} label={t('people.search')} onChange={setSearch} />
      {isWhole && <PeopleFilters />}
      <ReadTable
        caption={t('people.title')}
        columns={columns}
        reading={reading}
        idOf={({ id }) => id}
        empty={t('people.none')}
        hasNoSearch
      />
    </OfficePage>
  )
}
