import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '#ui/button.tsx'
import { Surface, Table, Text } from '#ui/layout.tsx'
import classes from './compact-table.module.css'
import { ScrollFrame } from './scroll-frame.tsx'

export type CompactColumn = { label: string; isNumber?: boolean; isWideOnly?: boolean }

/** CSS class for the cells of a column. */
export const compactCellClass = ({ isNumber, isWideOnly }: CompactColumn): string =>
  [isNumber && classes.number, isWideOnly && classes.wide].filter(Boolean).join(' ')

type TableProps = {
  caption: string
  columns: readonly CompactColumn[]
  /** the cells of each row, in column order; the first cell is the row header */
  rows: readonly { key: number | string; cells: readonly ReactNode[]; actions?: ReactNode }[]
  /** cells of an additional last row that contains sums */
  sums?: readonly ReactNode[]
  /** number of rows shown initially */
  most?: number
  /** may be wider than a phone, so that it can be scrolled by the keyboard */
  isWide?: boolean
}

/**
 * Compact table with left-aligned names, right-aligned numbers, and the actions in the last column. Long tables are
 * rendered in part.
 */
export function CompactTable({ caption, columns, rows, sums, most = 12, isWide }: TableProps) {
  const { t } = useTranslation('office')
  const [isWhole, setIsWhole] = useState(false)
  const shown = isWhole ? rows : rows.slice(0, most)
  const hasActions = rows.some(({ actions }) => actions)
  const content = (
    <>
      <Table tabular className={classes.table}>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map(column => (
              <th key={column.label} scope="col" className={compactCellClass(column)}>
                {column.label}
              </th>
            ))}
            {hasActions && <td />}
          </tr>
        </thead>
        <tbody>
          {shown.map(({ key, cells: [name, ...cells], actions }) => (
            <tr key={key}>
              <th scope="row" className={columns[0] && compactCellClass(columns[0])}>
                {name}
              </th>
              {columns.slice(1).map((column, index) => (
                <td key={column.label} className={compactCellClass(column)}>
                  {cells[index]}
                </td>
              ))}
              {hasActions && (
                <td className={classes.actions}>
                  <span>{actions}</span>
                </td>
              )}
            </tr>
          ))}
        </tbody>
        {sums && (
          <tfoot>
            <tr>
              {columns.map((column, index) => (
                <td key={column.label} className={compactCellClass(column)}>
                  {sums[index]}
                </td>
              ))}
              {hasActions && <td />}
            </tr>
          </tfoot>
        )}
      </Table>
      {shown.length < rows.length && (
        <Text flush className={classes.rest}>
          <Button look="text" onClick={() => setIsWhole(true)}>
            {t('table.showAll', { count: rows.length })}
          </Button>
        </Text>
      )}
    </>
  )
  return isWide ? (
    <ScrollFrame label={caption} className={classes.frame}>
      {content}
    </ScrollFrame>
  ) : (
    <Surface className={classes.frame}>{content}</Surface>
  )
}
