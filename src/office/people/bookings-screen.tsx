import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import type { ItemOf } from '#contract/endpoint.ts'
import { LISTED_BOOKING_STATES, type listOfficeBookings } from '#contract/office/people.ts'
import { isOneOf } from '#contract/records.ts'
import { BOOKING_STATUS } from '#contract/values.ts'
import { formatMoney, nameInLanguage, textInLanguage } from '#contract/words.ts'
import { useSeasons } from '#features/courses/resource.ts'
import { useLanguage } from '#lib/use-language.ts'
import { DateTimeField } from '#office/frame/components/date-time-field.tsx'
import { FilterSelect, FilterToggle } from '#office/frame/components/filter-chips.tsx'
import { OfficePage } from '#office/frame/components/office-page.tsx'
import { ReadTable } from '#office/frame/components/read-table.tsx'
import { RecordLink } from '#office/frame/components/record-link.tsx'
import type { Column } from '#office/frame/components/table-cells.tsx'
import { formatWallClockTime } from '#office/frame/model.ts'
import { usePaginatedList } from '#office/frame/use-pages.ts'
import { useUrlParam } from '#office/frame/use-url-param.ts'
import { FieldGrid, Row } from '#ui/layout.tsx'

type Listed = ItemOf<typeof listOfficeBookings>

function useColumns(): Column<Listed>[] {
  const { t } = useTranslation('office-people')
  const language = useLanguage()
  const stateOf = ({ bookingStatus }: Listed) => t(`bookings.status.${bookingStatus}`)
  const courseOf = ({ number = '', courseName = '', courseName2 = '' }: Listed) =>
    `${number} ${textInLanguage(language, courseName, courseName2)}`
  return [
    {
      key: 'name',
      label: t('field.name'),
      isName: true,
      value: ({ name = '' }) => name,
      show: ({ webUserId, name }) => (
        <RecordLink kind="people" id={webUserId}>
          {name || t('noName')}
        </RecordLink>
      ),
    },
    {
      key: 'course',
      label: t('bookings.course'),
      value: courseOf,
      show: row => (
        <RecordLink kind="courses" id={row.courseId}>
          {courseOf(row)}
        </RecordLink>
      ),
      isLong: true,
    },
    { key: 'state', label: t('bookings.state'), value: stateOf, fold: stateOf },
    {
      key: 'since',
      label: t('bookings.since'),
      value: ({ since }) => since,
      show: ({ since }) => formatWallClockTime(since, language),
      fold: ({ since }) => formatWallClockTime(since, language),
    },
    {
      key: 'ended',
      label: t('bookings.ended'),
      value: ({ endedAt }) => endedAt ?? '',
      show: ({ endedAt }) => endedAt && formatWallClockTime(endedAt, language),
      isWideOnly: true,
    },
    {
      key: 'amount',
      label: t('bookings.amount'),
      value: ({ amount }) => amount,
      show: ({ amount, bookingStatus }) => (bookingStatus === BOOKING_STATUS.Waitinglist ? '' : formatMoney(amount)),
      isWideOnly: true,
    },
  ]
}

/** Bookings and waiting-list entries of all seasons, the newest change first, with filters in the URL. */
export function BookingsScreen() {
  const { t } = useTranslation('office-people')
  const language = useLanguage()
  const seasons = useSeasons(state => state.data)
  useEffect(() => void useSeasons.load(), [])
  const [state] = useUrlParam('state')
  const [season] = useUrlParam('season')
  const [from, setFrom] = useUrlParam('from')
  const [to, setTo] = useUrlParam('to')
  const [current] = useUrlParam('current')
  const query = {
    newest: '1' as const,
    ...(isOneOf(LISTED_BOOKING_STATES, state) && { state }),
    ...(/^[1-9]\d{0,8}$/.test(season) && { seasonId: Number(season) }),
    ...(from && { from }),
    ...(to && { to }),
    ...(current && { current: '1' as const }),
  }
  const reading = usePaginatedList('listOfficeBookings', query)
  const columns = useColumns()
  return (
    <OfficePage title={t('bookings.title')} lead={t('bookings.lead')}>
      <Row>
        <FilterSelect
          label={t('bookings.state')}
          name="state"
          options={LISTED_BOOKING_STATES.map(value => ({ value, label: t(`bookings.states.${value}`) }))}
        />
        <FilterSelect
          label={t('field.season')}
          name="season"
          options={seasons.map(one => ({ value: String(one.id), label: nameInLanguage(language, one) }))}
        />
        <FilterToggle label={t('bookings.current')} name="current" />
      </Row>
      <FieldGrid style={{ '--column': '150px' }}>
        <DateTimeField kind="date" label={t('bookings.from')} value={from} onChange={setFrom} />
        <DateTimeField kind="date" label={t('bookings.to')} value={to} onChange={setTo} />
      </FieldGrid>
      <ReadTable
        caption={t('bookings.title')}
        columns={columns}
        reading={reading}
        idOf={({ bookingId }) => bookingId}
        empty={t('bookings.none')}
        hasNoSearch
      />
    </OfficePage>
  )
}
