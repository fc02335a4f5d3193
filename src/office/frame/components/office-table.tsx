import { type KeyboardEvent, type ReactNode, useContext, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { withProgress } from '#lib/progress.ts'
import { Button } from '#ui/button.tsx'
import { Card, Row, Stack, Table, Text } from '#ui/layout.tsx'
import { SearchBox } from '#ui/search-box.tsx'
import type { TableSorting } from '../model.ts'
import type { UnloadedPages } from '../use-pages.ts'
import { useFilteredRows, useNewRowIds, useSelection } from '../use-table-rows.ts'
import { ParamPrefix } from '../use-url-param.ts'
import { ExportTable } from './export-table.tsx'
import { useGrowingList } from './growing-list.tsx'
import classes from './office-table.module.css'
import { ScrollFrame } from './scroll-frame.tsx'
import { Cell, CheckCell, type Column, cellClass, HeadCell, rowNameOf } from './table-cells.tsx'
import { TableView, useHiddenColumns } from './table-view.tsx'

export type OfficeTableProps<Row> = {
  /** description of the rows, such as "Courses"; the name of the table for screen readers and of the exported file */
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  idOf: (row: Row) => number | string
  /** prefix of the table's query parameters; required on screens with several tables */
  name?: string
  /** whether more rows are being loaded */
  isLoading?: boolean
  /** pages that have not been loaded yet; loaded as the user scrolls, or all at once to search, sort or export */
  rest?: UnloadedPages<Row> | null
  empty?: string
  /** hides the search box because the server does the searching */
  hasNoSearch?: boolean
  /** filters next to the search box */
  filters?: ReactNode
  /** bulk actions for the selected rows; makes rows selectable */
  selection?: (selected: Row[], clear: () => void) => ReactNode
  /** actions on a row, rendered in the last column */
  actions?: (row: Row) => ReactNode
}

/** Number of rows added as the user scrolls; more than fit on a screen. */
const STEP = 30

/** The Up and Down arrow keys move the focus to the same column of the previous or next row. */
function moveByKey(event: KeyboardEvent<HTMLTableElement>): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  const { target } = event
  if (step === 0 || !(target instanceof HTMLElement) || /^(?:SELECT|TEXTAREA)$/.test(target.tagName)) return
  const row = target.closest('tr')
  const rows = [...event.currentTarget.querySelectorAll('tr')]
  const next = row && rows[rows.indexOf(row) + step]
  if (!row || !next) return
  const focusable = (of: HTMLElement) => [...of.querySelectorAll<HTMLElement>('a, button, input')]
  const place = focusable(row).indexOf(target.closest<HTMLElement>('a, button, input') ?? target)
  const to = focusable(next)
  event.preventDefault()
  ;(to[Math.min(place, to.length - 1)] ?? to[0])?.focus()
}

type HeadProps<Row> = Pick<OfficeTableProps<Row>, 'columns'> & {
  /** the first row; its values determine the alignment */
  first: Row | undefined
  sorting: TableSorting | null
  onSort: (sorting: TableSorting) => void
  selection: { isAllChosen: boolean; onChoose: (isOn: boolean) => void } | undefined
  hasActions: boolean
}

function TableHead<Row>({ columns, first, sorting, onSort, selection, hasActions }: HeadProps<Row>) {
  const { t } = useTranslation('office')
  return (
    <thead>
      <tr>
        {selection && (
          <CheckCell label={t('table.selectAll')} isChecked={selection.isAllChosen} onChange={selection.onChoose} />
        )}
        {columns.map(column => (
          <HeadCell
            key={column.key}
            label={column.label}
            className={cellClass(column, first)}
            sorting={sorting?.key === column.key ? sorting : null}
            onSort={isDown => onSort({ key: column.key, isDown })}
          />
        ))}
        {hasActions && <td />}
      </tr>
    </thead>
  )
}

type BarProps<Row> = Pick<OfficeTableProps<Row>, 'caption' | 'columns' | 'hasNoSearch' | 'filters' | 'rest'> & {
  search: string
  onSearch: (search: string) => void
  /** number of rows found so far */
  count: number
  /** returns all rows found, for the export */
  readRows: () => Promise<readonly Row[]>
  /** menu for hiding columns */
  view: ReactNode
}

/** Search box, filters, number of rows, and export. */
function TableBar<Row>({
  caption,
  columns,
  hasNoSearch,
  filters,
  rest = null,
  search,
  onSearch,
  count,
  readRows,
  view,
}: BarProps<Row>) {
  const { t } = useTranslation('office')
  return (
    <Row className={classes.bar}>
      {!hasNoSearch && <SearchBox value={search} label={t('table.search')} onChange={onSearch} />}
      {filters}
      {view}
      <Text grow tone="muted" flush role="status">
        {t(rest ? 'table.countSoFar' : 'table.count', { count: count })}
      </Text>
      <ExportTable caption={caption} columns={columns} isPartial={rest !== null} readRows={readRows} />
    </Row>
  )
}

type SelectionBarProps = { count: number; onClear: () => void; children: ReactNode }

/** Number of selected rows, and bulk actions for them. */
function SelectionBar({ count, onClear, children }: SelectionBarProps) {
  const { t } = useTranslation('office')
  return (
    <Row chip className={classes.selection}>
      <b>{t('table.selected', { count })}</b>
      {children}
      <Button look="text" onClick={onClear}>
        {t('table.unselect')}
      </Button>
    </Row>
  )
}

type RowProps<Row> = Pick<OfficeTableProps<Row>, 'columns'> & {
  row: Row
  /** name for screen readers */
  name: string
  isMarked: boolean
  selection: { isChosen: boolean; onChoose: (isOn: boolean) => void } | undefined
  actions: ((row: Row) => ReactNode) | undefined
}

function TableRow<Row>({ row, columns, name, isMarked, selection, actions }: RowProps<Row>) {
  const { t } = useTranslation('office')
  const folded = columns.filter(({ fold }) => fold)
  return (
    <tr data-chosen={isMarked}>
      {selection && (
        <CheckCell label={t('table.select', { name })} isChecked={selection.isChosen} onChange={selection.onChoose} />
      )}
      {columns.map(column => (
        <Cell key={column.key} column={column} row={row} folded={folded} />
      ))}
      {actions && (
        <td className={classes.actions}>
          <span>{actions(row)}</span>
        </td>
      )}
    </tr>
  )
}

/** Highlights rows that were added after the table was loaded, and scrolls the latest one into view. */
function useNewRows<Row>(
  rows: readonly Row[],
  found: readonly Row[],
  idOf: OfficeTableProps<Row>['idOf'],
  isLoading: boolean,
) {
  const fresh = useNewRowIds(rows.map(idOf), isLoading)
  const newest = [...fresh].at(-1)
  const newestAt = found.findIndex(row => idOf(row) === newest)
  const body = useRef<HTMLTableSectionElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once per added row
  useEffect(() => {
    body.current?.children[newestAt]?.scrollIntoView({ block: 'nearest' })
  }, [newest])
  return { fresh, body, newestAt }
}

/** Loads all remaining pages while the rows are being searched or sorted. */
function useReadRest<Row>(rest: UnloadedPages<Row> | null, isSifting: boolean): void {
  const readOn = rest?.readOn
  const needsAll = readOn !== undefined && rest?.isStuck === false && isSifting
  useEffect(() => {
    if (needsAll) readOn?.(true)
  })
}

/** Data table with sorting, filtering, selection, export and keyboard navigation. Its state is stored in the URL. */
export function OfficeTable<Row>(props: OfficeTableProps<Row>) {
  const {
    caption,
    columns,
    rows,
    idOf,
    name = '',
    isLoading = false,
    rest = null,
    empty,
    hasNoSearch,
    selection,
    actions,
  } = props
  const { t } = useTranslation('office')
  const { selected, choose, clear } = useSelection()
  const [hidden] = useHiddenColumns(name)
  const shown = columns.filter(({ key }) => !hidden.has(key))
  const isMain = useContext(ParamPrefix) === '' && name === ''
  const { search, setSearch, sorting, setSorting, found, sift, isSifting } = useFilteredRows(
    rows,
    columns,
    name,
    hasNoSearch,
  )
  const { fresh, body, newestAt } = useNewRows(rows, found, idOf, isLoading)
  const readOn = rest?.readOn
  useReadRest(rest, isSifting)
  const [drawn, more] = useGrowingList(found, STEP, {
    readOn: readOn && (() => readOn()),
    isStuck: rest?.isStuck,
    atLeast: newestAt + 1,
  })
  const chosen = found.filter(row => selected.has(idOf(row)))
  const isAllChosen = found.length > 0 && chosen.length === found.length
  return (
    <Stack>
      <TableBar
        {...props}
        columns={shown}
        search={search}
        onSearch={setSearch}
        count={found.length}
        readRows={async () => (rest ? sift(await withProgress(rest.readWhole())) : found)}
        view={isMain && <TableView columns={columns} />}
      />
      {selection && chosen.length > 0 && (
        <SelectionBar count={chosen.length} onClear={clear}>
          {selection(chosen, clear)}
        </SelectionBar>
      )}
      <ScrollFrame label={caption} className={classes.frame}>
        <Table tabular className={classes.table} onKeyDown={moveByKey}>
          <caption className="visually-hidden">{caption}</caption>
          <TableHead
            columns={shown}
            first={rows[0]}
            sorting={sorting}
            onSort={setSorting}
            hasActions={actions !== undefined}
            selection={selection && { isAllChosen, onChoose: isOn => choose(found.map(idOf), isOn) }}
          />
          <tbody ref={body}>
            {drawn.map(row => {
              const id = idOf(row)
              return (
                <TableRow
                  key={id}
                  row={row}
                  columns={shown}
                  name={rowNameOf(columns, row)}
                  isMarked={selected.has(id) || fresh.has(id)}
                  actions={actions}
                  selection={selection && { isChosen: selected.has(id), onChoose: isOn => choose([id], isOn) }}
                />
              )
            })}
          </tbody>
        </Table>
        {more}
        {found.length === 0 && (
          <Card as="p" tone="muted" flush>
            {isLoading ? t('table.loading') : (empty ?? t('table.empty'))}
          </Card>
        )}
      </ScrollFrame>
    </Stack>
  )
}
