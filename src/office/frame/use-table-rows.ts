import { useCallback, useDeferredValue, useMemo, useState } from 'react'
import { compareCellValues, formatSorting, matchesSearch, parseSorting, type TableSorting } from './model.ts'
import { useOfficeState } from './store.ts'
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
      return fitting.sort((a, b) => turn * compareCellValues(column.value(a), column.value(b)))
    },
    [columns, sought, sorting, hasNoSearch],
  )
  const found = useMemo(() => sift(rows), [rows, sift])
  return {
    search,
    setSearch,
    sorting,
    setSorting: (next: TableSorting) => setSortText(formatSorting(next)),
    found,
    sift,
    isSifting: sought !== '' || sorting !== null,
  }
}

/** id of a row */
type Id = number | string
type Seen = { revision: number; known: ReadonlySet<Id>; fresh: ReadonlySet<Id> }
const NONE: ReadonlySet<Id> = new Set()

/**
 * Ids of the rows that actions have created since the table was opened. Does not include rows that appear because of a
 * search or another page.
 */
export function useNewRowIds(ids: readonly Id[], isLoading: boolean): ReadonlySet<Id> {
  const revision = useOfficeState(state => state.revision)
  const [seen, setSeen] = useState<Seen | null>(null)
  if (isLoading) return seen?.fresh ?? NONE
  const added = ids.filter(id => !seen?.known.has(id))
  if (seen !== null && added.length === 0) return seen.fresh
  const isMade = seen !== null && seen.revision !== revision
  const fresh = isMade ? new Set([...seen.fresh, ...added]) : (seen?.fresh ?? NONE)
  setSeen({ revision, known: new Set([...(seen?.known ?? NONE), ...added]), fresh })
  return fresh
}

/** The selected rows of a list, by row id. */
export function useSelection() {
  const [selected, setSelected] = useState<ReadonlySet<Id>>(new Set())
  const choose = (ids: Id[], isOn: boolean) =>
    setSelected(before => {
      const after = new Set(before)
      for (const id of ids) isOn ? after.add(id) : after.delete(id)
      return after
    })
  return { selected, choose, clear: () => setSelected(new Set()) }
}
