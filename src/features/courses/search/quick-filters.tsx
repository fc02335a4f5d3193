import { useTranslation } from 'react-i18next'
import { EMPLOYEE_STATUS } from '#contract/values.ts'
import classes from '#features/courses/components/list-toolbar.module.css'
import { useSession } from '#features/session/store.ts'
import { useToday } from '#lib/use-now.ts'
import { Button } from '#ui/button.tsx'
import { IconAdjustmentsHorizontal, IconCalendarEvent, IconListSearch } from '#ui/shell-icons.ts'
import { useListView, weekdayInWeekOf } from '../list-view-store.ts'
import { countFilters, type FilterOptions, quickFilterCitiesOf } from './filter-model.ts'
import { type CriteriaGroup, useIsCriterionChosen, useSearchCriteria } from './search-criteria-store.ts'

const WEEK_MS = 7 * 86_400_000

type Choice = { group: CriteriaGroup; value: string; label: string }

function Chip({ group, value, label }: Choice) {
  const isChosen = useIsCriterionChosen(group, value)
  return (
    <Button
      look="quiet"
      isPill
      aria-pressed={isChosen}
      onClick={() => useSearchCriteria.getState().toggle(group, value)}
    >
      {label}
    </Button>
  )
}

type Props = {
  options: FilterOptions
  hasCertified: boolean
  /** whether the calendar view shows a whole week instead of a single day */
  isWeek: boolean
  onFilter: () => void
}

/** Switches between the list and the calendar, which shows a week or, on phones, a day. */
function ViewSwitch({ isWeek }: { isWeek: boolean }) {
  const { t } = useTranslation('courses')
  const isList = useListView(state => state.view === 'list')
  const label = t(isList ? (isWeek ? 'list.asWeek' : 'list.asDay') : 'list.asList')
  const Sign = isList ? IconCalendarEvent : IconListSearch
  const todayMs = useToday()
  const change = () => {
    useListView.setState({ view: isList ? 'week' : 'list' })
    const { criteria, toggle } = useSearchCriteria.getState()
    const { days } = criteria.facets
    const [day] = days
    if (!isList || isWeek || day === undefined) return
    // A single day opens on the weekday that the list was filtered by.
    const next = weekdayInWeekOf(todayMs, Number(day))
    useListView.setState({ dayMs: next < todayMs ? weekdayInWeekOf(todayMs + WEEK_MS, Number(day)) : next })
    for (const chosen of days) toggle('days', chosen)
  }
  return (
    <Button isPill aria-label={label} onClick={change}>
      <Sign size={20} />
      <span className={classes.words}>{label}</span>
    </Button>
  )
}

/** One-tap buttons for the most used filters: free seats, certified courses, time of day, and city. */
export function QuickFilters({ options, hasCertified, isWeek, onFilter }: Props) {
  const { t } = useTranslation('courses')
  const filters = useSearchCriteria(state => countFilters(state.criteria))
  const isInsured = useSession(({ session }) => session?.employeeStatus === EMPLOYEE_STATUS.HealthInsurance)
  const cities = quickFilterCitiesOf(options)
  const chips: Choice[] = [
    { group: 'free', value: '', label: t('facet.freeShort') },
    ...(hasCertified
      ? [{ group: 'certified' as const, value: '', label: t(isInsured ? 'facet.refundable' : 'facet.certified') }]
      : []),
    ...options.parts.map((option): Choice => ({ ...option, group: 'parts' })),
    ...cities.map((option): Choice => ({ ...option, group: 'cities' })),
  ]
  return (
    <ul data-roving className={classes.quick} aria-label={t('list.quick')}>
      <li>
        <ViewSwitch isWeek={isWeek} />
      </li>
      <li>
        <Button look={filters > 0 ? 'plain' : 'ghost'} isPill aria-haspopup="dialog" onClick={onFilter}>
          <IconAdjustmentsHorizontal size={20} />
          {filters > 0 ? t('list.filterCount', { count: filters }) : t('list.filter')}
        </Button>
      </li>
      {chips.map(chip => (
        <li key={`${chip.group} ${chip.value}`}>
          <Chip {...chip} />
        </li>
      ))}
    </ul>
  )
}
