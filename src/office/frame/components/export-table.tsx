import { useTranslation } from 'react-i18next'
import { api } from '#lib/api.ts'
import { errorMessageOf } from '#lib/api-error.ts'
import { withProgress } from '#lib/progress.ts'
import { saveFile } from '#lib/save-file.ts'
import { showError } from '#lib/toast.ts'
import { Button } from '#ui/button.tsx'
import { toCsv } from '../model.ts'
import type { Column } from './table-cells.tsx'

type Props<Row> = {
  /** caption of the table, also the name of the exported file */
  caption: string
  columns: readonly Column<Row>[]
  /** returns all rows of the table, loading the pages that have not been fetched yet */
  readRows: () => Promise<readonly Row[]>
  /** whether only some of the rows are loaded; the button then states that the export contains all of them */
  isPartial: boolean
}

/** Button that exports a table as a CSV file for spreadsheets. */
export function ExportTable<Row>({ caption, columns, readRows, isPartial }: Props<Row>) {
  const { t } = useTranslation('office')
  const save = async (write: (table: (string | number)[][]) => Promise<Blob>, ending: string) => {
    try {
      const rows = await readRows()
      const table = [columns.map(({ label }) => label), ...rows.map(row => columns.map(({ value }) => value(row)))]
      saveFile(await write(table), `${caption}.${ending}`)
    } catch (error) {
      showError(errorMessageOf(error, t('noAnswer')))
    }
  }
  const saveCsv = () => save(async table => new Blob([toCsv(table)], { type: 'text/csv' }), 'csv')
  const saveExcel = () =>
    save(table => withProgress(api.writeOfficeTable({ body: { name: caption, rows: table } })), 'xlsx')
  return (
    <>
      <Button look="quiet" isPill onClick={() => void saveCsv()}>
        {t(isPartial ? 'table.exportAll' : 'table.export')}
      </Button>
      <Button look="quiet" isPill onClick={() => void saveExcel()}>
        {t(isPartial ? 'table.excelAll' : 'table.excel')}
      </Button>
    </>
  )
}
