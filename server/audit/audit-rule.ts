import type { SqlFragment } from '#server/db/sql.ts'

export type AuditRule = {
  /** for the operator: the invariant that holds if nothing is found */
  what: string
  /** returns a row with a `finding` for each violation */
  query: SqlFragment
}
