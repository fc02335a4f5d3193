import type { ScreenResource } from '#lib/resource.ts'
import { LoadingState } from './loading-state.tsx'
import { OfficeTable, type OfficeTableProps } from './office-table.tsx'

type Props<Row> = Omit<OfficeTableProps<Row>, 'rows' | 'isLoading' | 'rest'> & {
  reading: Pick<ScreenResource<readonly Row[]>, 'data' | 'error' | 'isLoading' | 'reload'> &
    Pick<OfficeTableProps<Row>, 'rest'>
}

/** A table together with its loading and error states. */
export function ReadTable<Row>({ reading, ...table }: Props<Row>) {
  if (reading.data === null) return <LoadingState reading={reading} />
  return <OfficeTable {...table} rows={reading.data} isLoading={reading.isLoading} rest={reading.rest ?? null} />
}
