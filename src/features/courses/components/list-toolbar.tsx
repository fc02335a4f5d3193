import { IconAdjustmentsHorizontal } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Button } from '#components/button.tsx'
import { useCriteria } from '../criteria-store.ts'
import { countFilters, SORTS, type Sort } from '../filter-model.ts'
import classes from './list-toolbar.module.css'

/** Number of hits, order, and on phones the way to the filters. */
export function ListToolbar({ hits, onFilter }: { hits: number | null; onFilter: () => void }) {
  const { t } = useTranslation('courses')
  const { criteria, change } = useCriteria()
  const filters = countFilters(criteria)
  return (
    <div className={classes.bar}>
      <Button
        look={filters > 0 ? 'plain' : 'ghost'}
        isPill
        className={classes.filter}
        aria-haspopup="dialog"
        onClick={onFilter}
      >
        <IconAdjustmentsHorizontal size={20} aria-hidden />
        {filters > 0 ? t('list.filterCount', { count: filters }) : t('list.filter')}
      </Button>
      <div role="status">{hits !== null && <h2 className={classes.hits}>{t('list.hits', { count: hits })}</h2>}</div>
      <select
        aria-label={t('list.sort')}
        value={criteria.sort}
        onChange={event => change({ sort: event.currentTarget.value as Sort })}
      >
        {SORTS.map(sort => (
          <option key={sort} value={sort}>
            {t(`sort.${sort}`)}
          </option>
        ))}
      </select>
    </div>
  )
}
