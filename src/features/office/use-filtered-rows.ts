import { useCallback, useDeferredValue, useMemo } from 'react'
import { useLanguage } from '#lib/use-language.ts'
import { compareValues, formatSorting, matchesSearch, parseSorting, type Sorting } from './model.ts'
import { useDebouncedUrlParam, useUrlParam } from './use-url-param.ts'

type Column<Row> = { key: string; value: (row: Row) => string | number }

/**
 * Filters and sorts rows by the parameters in the URL.
 * @param name prefix of the query parameters, for screens with several tables
 */
export function useFilteredRows<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  name: string,
  hasNoSearch = false,
) {
  const language = useLanguage()
  const [search, setSearch] = useDebouncedUrlParam(`${name}q`)
  const [sortText, setSortText] = useUrlParam(`${name}sort`)
  // The typed text is rendered immediately; the filtered rows follow with lower priority.
  const sought = useDeferredValue(search)
  const sorting = useMemo(() => parseSorting(sortText), [sortText])

  const sift = useCallback(
    (all: readonly Row[]) => {
      const valuesOf = (row: Row) => columns.map(({ value }) => value(row))
      const fitting = hasNoSearch || !sought ? [...all] : all.filter(row => matchesSearch(sought, valuesOf(row)))
      const column = columns.find(({ key }) => key === sorting?.key)
      if (!column) return fitting
      const turn = sorting?.isDown ? -1 : 1
      return fitting.sort((a, b) => turn * compareValues(column.value(a), column.value(b), language))
    },
    [columns, sought, sorting, language, hasNoSearch],
  )
  const found = useMemo(() => sift(rows), [rows, sift])
  return {
    search,
    setSearch,
    sorting,
    setSorting: (next: Sorting) => setSortText(formatSorting(next)),
    found,
    sift,
    isSifting: sought !== '' || sorting !== null,
  }
}
