import { useTranslation } from 'react-i18next'
import { Button } from '#components/button.tsx'
import { IconAdjustmentsHorizontal } from '#components/shell-icons.ts'
import { countFilters, type FilterOptions } from '../filter-model.ts'
import { type Group, useIsChosen, useSearchCriteria } from '../search-criteria-store.ts'
import classes from './list-toolbar.module.css'

/** Number of cities shown beside the times of day; the filter panel has all of them. */
const CITIES = 5

type Choice = { group: Group; value: string; label: string }

function Chip({ group, value, label }: Choice) {
  const isChosen = useIsChosen(group, value)
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

/** The most used filters, one tap away: free places, time of day and city. */
export function QuickFilters({ options, onFilter }: { options: FilterOptions; onFilter: () => void }) {
  const { t } = useTranslation('courses')
  const filters = useSearchCriteria(state => countFilters(state.criteria))
  const cities = options.cities.length > 1 ? options.cities.slice(0, CITIES) : []
  const chips: Choice[] = [
    { group: 'free', value: '', label: t('facet.freeShort') },
    ...options.parts.map((option): Choice => ({ ...option, group: 'parts' })),
    ...cities.map((option): Choice => ({ ...option, group: 'cities' })),
  ]
  return (
    <ul className={classes.quick} aria-label={t('list.quick')}>
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
