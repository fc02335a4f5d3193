import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { isOneOf } from '#contract/records.ts'
import { SORT_ORDERS } from '#features/courses/search/search-criteria-model.ts'
import { useSearchCriteria } from '#features/courses/search/search-criteria-store.ts'
import { Box, Text } from '#ui/layout.tsx'
import { useListView } from '../list-view-store.ts'
import classes from './list-toolbar.module.css'

type Props = {
  hits: number | null
  hasWords: boolean
  children?: ReactNode
}

/** Number of hits, age of the data, and sort order of the list. */
export function CourseListToolbar({ hits, hasWords, children }: Props) {
  const { t } = useTranslation('courses')
  const sort = useSearchCriteria(({ criteria }) => criteria.sort)
  const isList = useListView(state => state.view === 'list')
  const { change } = useSearchCriteria.getState()
  return (
    <Box gap="xs" className={classes.bar}>
      <div role="status">
        {hits !== null && (
          <Text as="h2" variant="name" weight="bold" flush>
            {t('list.hits', { count: hits })}
          </Text>
        )}
      </div>
      {children}
      {isList && (
        <select
          aria-label={t('list.sort')}
          value={sort}
          onChange={({ currentTarget: { value } }) =>
            isOneOf(SORT_ORDERS, value) && change({ sort: value, isReversed: false })
          }
        >
          {SORT_ORDERS.map(order => (
            <option key={order} value={order}>
              {t(order === 'soonest' && hasWords ? 'list.best' : `sort.${order}`)}
            </option>
          ))}
        </select>
      )}
    </Box>
  )
}
