import { type KeyboardEvent, type ReactNode, useContext, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { withProgress } from '#lib/progress.ts'
import { Button } from '#ui/button.tsx'
import { Card, Row, Stack, Table, Text } from '#ui/layout.tsx'
import { SearchBox } from '#ui/search-box.tsx'
import { useFilteredRows } from '../use-filtered-rows.ts'
import { useFreshRows } from '../use-fresh-rows.ts'
import type { UnloadedPages } from '../use-pages.ts'
import { useSelection } from '../use-selection.ts'
import { ParamPrefix } from '../use-url-param.ts'
import classes from './desk-table.module.css'
import { ExportTable } from './export-table.tsx'
import { useGrowingList } from './growing-list.tsx'
import { ScrollFrame } from './scroll-frame.tsx'
import { Cell, CheckCell, type Column, cellClass, HeadCell, rowNameOf } from './table-cells.tsx'
import { TableView, useHiddenColumns } from './table-view.tsx'

export type DeskTableProps<Row> = {
  /** what the rows are, for screen readers and as the name of the exported file */
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

/** Data table with sorting, filtering, selection, export and keyboard navigation. Its state is stored in the URL. */
export function DeskTable<Row>(props: DeskTableProps<Row>) {
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
    filters,
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
  const fresh = useFreshRows(rows.map(idOf), isLoading)
  const made = [...fresh].at(-1)
  const madeAt = found.findIndex(row => idOf(row) === made)
  const body = useRef<HTMLTableSectionElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each row that is made
  useEffect(() => {
    body.current?.children[madeAt]?.scrollIntoView({ block: 'nearest' })
  }, [made])

  const readOn = rest?.readOn
  const needsAll = readOn !== undefined && rest?.isStuck === false && isSifting
  useEffect(() => {
    if (needsAll) readOn?.(true)
  })
  const [drawn, more] = useGrowingList(found, STEP, {
    readOn: readOn && (() => readOn()),
    isStuck: rest?.isStuck,
    atLeast: madeAt + 1,
  })
  const chosen = found.filter(row => selected.has(idOf(row)))
  const isAllChosen = found.length > 0 && chosen.length === found.length
  return (
    <Stack>
      <Row className={classes.bar}>
        {!hasNoSearch && <SearchBox value={search} label={t('table.search')} onChange={setSearch} />}
        {filters}
        {isMain && <TableView columns={columns} />}
        <Text grow tone="muted" flush role="status">
          {t(rest ? 'table.countSoFar' : 'table.count', { count: found.length })}
        </Text>
        <ExportTable
          caption={caption}
          columns={shown}
          isPartial={rest !== null}
          readRows={async () => (rest ? sift(await withProgress(rest.readWhole())) : found)}
        />
      </Row>
      {selection && chosen.length > 0 && (
        <Row chip className={classes.selection}>
          <b>{t('table.selected', { count: chosen.length })}</b>
          {selection(chosen, clear)}
          <Button look="text" onClick={clear}>
            {t('table.unselect')}
          </Button>
        </Row>
      )}
      <ScrollFrame label={caption} className={classes.frame}>
        <Table tabular className={classes.table} onKeyDown={moveByKey}>
          <caption className="visually-hidden">{caption}</caption>
          <thead>
            <tr>
              {selection && (
                <CheckCell
                  label={t('table.selectAll')}
                  isChecked={isAllChosen}
                  onChange={isOn => choose(found.map(idOf), isOn)}
                />
              )}
              {shown.map(column => (
                <HeadCell
                  key={column.key}
                  label={column.label}
                  className={cellClass(column, rows[0])}
                  sorting={sorting?.key === column.key ? sorting : null}
                  onSort={isDown => setSorting({ key: column.key, isDown })}
                />
              ))}
              {actions && <td />}
            </tr>
          </thead>
          <tbody ref={body}>
            {drawn.map(row => {
              const id = idOf(row)
              return (
                <tr key={id} data-chosen={selected.has(id) || fresh.has(id)}>
                  {selection && (
                    <CheckCell
                      label={t('table.select', { name: rowNameOf(columns, row) })}
                      isChecked={selected.has(id)}
                      onChange={isOn => choose([id], isOn)}
                    />
                  )}
                  {shown.map(column => (
                    <Cell key={column.key} column={column} row={row} />
                  ))}
                  {actions && (
                    <td className={classes.actions}>
                      <span>{actions(row)}</span>
                    </td>
                  )}
                </tr>
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
