import { IconAdjustmentsHorizontal } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Button } from '#components/button.tsx'
import { useCriteria } from '../criteria-store.ts'
import { countFilters, type FilterOptions } from '../filter-model.ts'
import classes from './list-toolbar.module.css'

/** So many cities stand beside the times of day; the filters have them all. */
const CITIES = 5

/** What people choose by, one tap away: a free place, the time of day, the city. The rest is in the filters. */
export function QuickFilters({ options, onFilter }: { options: FilterOptions; onFilter: () => void }) {
  const { t } = useTranslation('courses')
  const { criteria, change, toggle } = useCriteria()
  const filters = countFilters(criteria)
  const cities = options.cities.length > 1 ? options.cities.slice(0, CITIES) : []
  const chips = [
    ...options.parts.map(option => ({ ...option, facet: 'parts' as const })),
    ...cities.map(option => ({ ...option, facet: 'cities' as const })),
  ]
  return (
    <ul className={classes.quick} aria-label={t('list.quick')}>
      <li>
        <Button look={filters > 0 ? 'plain' : 'ghost'} isPill aria-haspopup="dialog" onClick={onFilter}>
          <IconAdjustmentsHorizontal size={20} aria-hidden />
          {filters > 0 ? t('list.filterCount', { count: filters }) : t('list.filter')}
        </Button>
      </li>
      <li>
        <Button
          look="quiet"
          isPill
          aria-pressed={criteria.isFreeOnly}
          onClick={() => change({ isFreeOnly: !criteria.isFreeOnly })}
        >
          {t('facet.freeShort')}
        </Button>
      </li>
      {chips.map(({ facet, value, label }) => (
        <li key={`${facet} ${value}`}>
          <Button
            look="quiet"
            isPill
            aria-pressed={criteria.facets[facet].includes(value)}
            onClick={() => toggle(facet, value)}
          >
            {label}
          </Button>
        </li>
      ))}
    </ul>
  )
}
