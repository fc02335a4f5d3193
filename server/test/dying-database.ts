import { type Database, type Queryable, sql } from '#server/platform/db/client.ts'

/**
 * Returns a database whose connection is lost before the statement with this number within a transaction, as when a
 * portal is killed. `countStatements` returns the number of statements within transactions so far.
 */
export function dyingAt(db: Database, statement: number): Database & { hasDied(): boolean; countStatements(): number } {
  let count = 0
  let hasDied = false
  const dying = (tx: Queryable): Queryable => {
    const counted =
      <Args extends unknown[], Result>(run: (...args: Args) => Promise<Result>) =>
      async (...args: Args): Promise<Result> => {
        count += 1
        if (count === statement) {
          hasDied = true
          await tx.execute(sql`select pg_terminate_backend(pg_backend_pid())`)
        }
        return run(...args)
      }
    return {
      query: counted(tx.query),
      one: counted(tx.one),
      maybeOne: counted(tx.maybeOne),
      execute: counted(tx.execute),
    } as Queryable
  }
  return {
    ...db,
    hasDied: () => hasDied,
    countStatements: () => count,
    transaction: work => db.transaction(tx => work(dying(tx))),
  }
}
