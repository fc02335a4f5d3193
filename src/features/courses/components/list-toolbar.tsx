import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '#components/button.tsx'
import { piece } from '#components/pieces.ts'
import { isOneOf } from '#contract/records.ts'
import { SORTS } from '../search-criteria-model.ts'
import { useSearchCriteria } from '../search-criteria-store.ts'
import classes from './list-toolbar.module.css'

type View = 'list' | 'week'
type Props = {
  hits: number | null
  hasWords: boolean
  view: View | null
  onView: (view: View) => void
  children?: ReactNode
}

/** Number of hits, age of the data, list or week view (where both do not fit), and sort order. */
export function ListToolbar({ hits, hasWords, view, onView, children }: Props) {
  const { t } = useTranslation('courses')
  const sort = useSearchCriteria(({ criteria }) => criteria.sort)
  const { change } = useSearchCriteria.getState()
  return (
    <div className={`${classes.bar} ${piece('tight')}`}>
      <div role="status">
        {hits !== null && <h2 className={piece('name', 'bold', 'flush')}>{t('list.hits', { count: hits })}</h2>}
      </div>
      {children}
      {view && (
        <Button look="text" className={classes.view} onClick={() => onView(view === 'list' ? 'week' : 'list')}>
          {t(view === 'list' ? 'list.asWeek' : 'list.asList')}
        </Button>
      )}
      <select
        aria-label={t('list.sort')}
        value={sort}
        onChange={({ currentTarget: { value } }) => isOneOf(SORTS, value) && change({ sort: value })}
      >
        {SORTS.map(order => (
          <option key={order} value={order}>
            {t(order === 'soonest' && hasWords ? 'list.best' : `sort.${order}`)}
          </option>
        ))}
      </select>
    </div>
  )
}
