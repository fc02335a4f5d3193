import { useTranslation } from 'react-i18next'
import { keysOf } from '#contract/records.ts'
import { SORT_OF_COLUMN, type SortOrder } from '#features/courses/search/search-criteria-model.ts'
import { useSearchCriteria } from '#features/courses/search/search-criteria-store.ts'

const COLUMNS = keysOf(SORT_OF_COLUMN)

/** Sorts the table by this column, or reverses the order if it is already sorted by it. */
function sortBy(sort: SortOrder): void {
  const { criteria, change } = useSearchCriteria.getState()
  change({ sort, isReversed: criteria.sort === sort && !criteria.isReversed })
}

/** Column headers of the course table. Clicking one sorts by that column. */
export function CourseTableHeader() {
  const { t } = useTranslation('course-list')
  const sort = useSearchCriteria(state => state.criteria.sort)
  const isReversed = useSearchCriteria(state => state.criteria.isReversed)
  return (
    // biome-ignore lint/a11y/useSemanticElements: the rows are cards on narrow screens, see course-card.tsx
    <div data-roving role="row" tabIndex={-1} aria-rowindex={1}>
      {COLUMNS.map(column => {
        const isSorted = sort === SORT_OF_COLUMN[column]
        // Sorting by free seats is descending by default, so that the courses with the most seats come first.
        const isDescending = isReversed !== (column === 'places')
        return (
          // biome-ignore lint/a11y/useSemanticElements: the cells are not table cells on narrow screens
          <div
            key={column}
            role="columnheader"
            tabIndex={-1}
            data-sorted={isSorted ? (isDescending ? 'down' : 'up') : undefined}
            {...(isSorted && { 'aria-sort': isDescending ? 'descending' : 'ascending' })}
          >
            <button type="button" onClick={() => sortBy(SORT_OF_COLUMN[column])}>
              {t(`column.${column}`)}
            </button>
          </div>
        )
      })}
    </div>
  )
}
