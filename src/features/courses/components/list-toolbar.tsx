import { useTranslation } from 'react-i18next'
import { useCriteria } from '../criteria-store.ts'
import { SORTS, type Sort } from '../filter-model.ts'
import classes from './list-toolbar.module.css'

/** Number of hits, and their order. */
export function ListToolbar({ hits }: { hits: number | null }) {
  const { t } = useTranslation('courses')
  const { criteria, change } = useCriteria()
  return (
    <div className={classes.bar}>
      <div role="status">{hits !== null && <h2>{t('list.hits', { count: hits })}</h2>}</div>
      <select
        aria-label={t('list.sort')}
        value={criteria.sort}
        onChange={event => change({ sort: event.currentTarget.value as Sort })}
      >
        {SORTS.map(sort => (
          <option key={sort} value={sort}>
            {t(sort === 'soonest' && criteria.text.trim() ? 'list.best' : `sort.${sort}`)}
          </option>
        ))}
      </select>
    </div>
  )
}
