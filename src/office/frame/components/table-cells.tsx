import type { ReactNode } from 'react'
import { ActionLink, CheckLabel } from '#ui/layout.tsx'
import type { TableSorting } from '../model.ts'
import { IconArrowDown, IconArrowUp } from './office-icons.tsx'
import classes from './office-table.module.css'

export type Column<Row> = {
  key: string
  label: string
  /** the cell's value for sorting, searching and exporting; numbers are right-aligned */
  value: (row: Row) => string | number
  /** rendered content if it differs from the value */
  show?: (row: Row) => ReactNode
  /** marks the column that contains the row headers for screen readers; exactly one column must have it */
  isName?: boolean
  /** whether the column is hidden on phones */
  isWideOnly?: boolean
  /** rendered below the row's name on phones instead of the column, unless it is empty; without links to records */
  fold?: (row: Row) => ReactNode
  /** whether the column takes the remaining width of the table; longer text is truncated, with a tooltip */
  isCut?: boolean
  /** whether the text wraps */
  isLong?: boolean
}

export const rowNameOf = <Row,>(columns: readonly Column<Row>[], row: Row) =>
  String((columns.find(({ isName }) => isName) ?? columns[0])?.value(row) ?? '')

/** CSS class of a cell. Numbers and their headers are right-aligned. */
export const cellClass = <Row,>(column: Column<Row>, row: Row | undefined) =>
  [
    (column.isWideOnly || column.fold) && classes.wide,
    column.isCut && classes.cut,
    column.isLong && classes.long,
    row !== undefined && typeof column.value(row) === 'number' && classes.number,
  ]
    .filter(Boolean)
    .join(' ')

const contentOf = <Row,>({ value, show = value }: Column<Row>, row: Row) => show(row)

type CellProps<Row> = {
  column: Column<Row>
  row: Row
  /** columns shown below the row's name on phones */
  folded: readonly Column<Row>[]
}

export function Cell<Row>({ column, row, folded }: CellProps<Row>) {
  const className = cellClass(column, row)
  return column.isName ? (
    <th scope="row" className={className}>
      {contentOf(column, row)}
      {folded.map(({ key, label, fold }) => {
        const content = fold?.(row)
        return (
          content && (
            <div key={key} className={classes.narrow}>
              {label}: {content}
            </div>
          )
        )
      })}
    </th>
  ) : (
    <td className={className} {...(column.isCut && { title: String(column.value(row)) })}>
      {contentOf(column, row)}
    </td>
  )
}

type CheckProps = { label: string; isChecked: boolean; onChange: (isOn: boolean) => void }

/** Cell with a checkbox that selects one row or all of them. */
export function CheckCell({ label, isChecked, onChange }: CheckProps) {
  return (
    <td>
      <CheckLabel as="span">
        <input
          type="checkbox"
          aria-label={label}
          checked={isChecked}
          onChange={event => onChange(event.currentTarget.checked)}
        />
      </CheckLabel>
    </td>
  )
}

type HeadProps = {
  label: string
  className: string
  /** this column's sort direction; null if the rows are sorted by another column */
  sorting: TableSorting | null
  onSort: (isDown: boolean) => void
}

export function HeadCell({ label, className, sorting, onSort }: HeadProps) {
  const Arrow = sorting?.isDown ? IconArrowDown : IconArrowUp
  return (
    <th scope="col" className={className} aria-sort={sorting ? (sorting.isDown ? 'descending' : 'ascending') : 'none'}>
      <ActionLink as="button" type="button" tone="ink" onClick={() => onSort(sorting !== null && !sorting.isDown)}>
        {label}
        {sorting && <Arrow size={18} aria-hidden />}
      </ActionLink>
    </th>
  )
}
