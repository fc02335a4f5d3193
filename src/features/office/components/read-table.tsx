import type { ScreenResource } from '#lib/resource.ts'
import { DeskTable, type DeskTableProps } from './desk-table.tsx'
import { LoadingState } from './loading-state.tsx'

type Props<Row> = Omit<DeskTableProps<Row>, 'rows' | 'isLoading' | 'rest'> & {
  reading: Pick<ScreenResource<readonly Row[]>, 'data' | 'error' | 'isLoading' | 'reload'> &
    Pick<DeskTableProps<Row>, 'rest'>
}

/** A table together with its loading and error states. */
export function ReadTable<Row>({ reading, ...table }: Props<Row>) {
  if (reading.data === null) return <LoadingState reading={reading} />
  return <DeskTable {...table} rows={reading.data} isLoading={reading.isLoading} rest={reading.rest ?? null} />
}
