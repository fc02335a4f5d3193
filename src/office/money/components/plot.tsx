import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { saveFile } from '#lib/save-file.ts'
import { CompactTable } from '#office/frame/components/compact-table.tsx'
import { formatNumber, toCsv } from '#office/frame/model.ts'
import { Button } from '#ui/button.tsx'
import { ActionLink, Box, Row, Surface, Text } from '#ui/layout.tsx'
import classes from './plot.module.css'

export type PlotTable = { columns: readonly string[]; rows: readonly (readonly (string | number)[])[] }

type Props = {
  title: string
  /** the unit of the values */
  unit: string
  table: PlotTable
  isWide?: boolean
  /** the chart; hidden from screen readers, which read the table instead */
  children: ReactNode
}

/** Chart with its values, which are also available as a table and as a CSV file. */
export function Plot({ title, unit, table: { columns, rows }, isWide = false, children }: Props) {
  const { t } = useTranslation('office-money')
  const id = useId()
  const isNumber = (column: number) => typeof rows[0]?.[column] === 'number'
  const save = () => saveFile(new Blob([toCsv([columns, ...rows])], { type: 'text/csv' }), `${title}.csv`)
  return (
    <Surface as="section" className={`${classes.plot} ${isWide ? classes.wide : ''}`} aria-labelledby={id}>
      <Box flush>
        <Text as="h2" id={id} variant="name">
          {title}
        </Text>
        <Text size="s">{unit}</Text>
      </Box>
      {rows.length === 0 ? (
        <Text tone="muted" flush>
          {t('report.noFigures')}
        </Text>
      ) : (
        <>
          {children}
          <details>
            <ActionLink as="summary">{t('report.figures')}</ActionLink>
            <CompactTable
              caption={title}
              columns={columns.map((label, index) => ({ label, isNumber: isNumber(index) }))}
              rows={rows.map((row, index) => ({
                key: index,
                cells: row.map(cell =>
                  typeof cell === 'number' ? formatNumber(cell, { maximumFractionDigits: 2 }) : cell,
                ),
              }))}
            />
            <Button look="text" aria-label={`${t('report.csv')}: ${title}`} onClick={save}>
              {t('report.csv')}
            </Button>
          </details>
        </>
      )}
    </Surface>
  )
}

export const PlotGrid = ({ children }: { children: ReactNode }) => <div className={classes.grid}>{children}</div>

/** Row of controls that are omitted when printing. */
export const PlotControls = ({ children }: { children: ReactNode }) => <Row className={classes.tools}>{children}</Row>
