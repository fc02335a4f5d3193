import type { Loaded } from '#server/db/copies/load.ts'

/** '51 tables, 12,345 rows, 4.2 MB' */
export const describeAmount = ({ tables, rows, bytes }: Loaded): string =>
  `${tables} tables, ${rows.toLocaleString('en')} rows, ${(bytes / 1e6).toLocaleString('en', { maximumFractionDigits: 1 })} MB`
