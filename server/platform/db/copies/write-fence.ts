import { commandLine } from '#server/platform/config/config.ts'
import { type Queryable, sql } from '#server/platform/db/client.ts'
import { StartError } from '#server/platform/process/start-error.ts'

/** Table created by `addWriteFence`, whose only row names the database to which the rows were moved. */
const MARK = 'moved_to'
const REFUSAL = 'refuse_writes_after_move'

const isMoved = sql`select to_regclass(${MARK}) is not null as yes`

/**
 * Checks that the rows of a database were not moved to another one.
 * @throws StartError if they were moved
 */
export async function assertDatabaseNotMoved(db: Queryable): Promise<void> {
  if (!(await db.one<{ yes: boolean }>(isMoved)).yes) return
  const { target, movedAt } = await db.one<{ target: string; movedAt: Date }>(
    sql`select target, moved_at as "movedAt" from ${sql.raw(MARK)}`,
  )
  throw new StartError(
    `The rows of this database were moved to ${target} at ${movedAt.toISOString()}: set DATABASE_URL to that database. ` +
      `To go back to this one, without what was written there since: ${commandLine('move', '--undo')}`,
  )
}

/**
 * Fences a database against writes when the client's transaction commits: triggers reject statements of open sessions,
 * including those waiting for a lock, and new sessions are read-only. See docs/decisions/0138.
 */
export async function addWriteFence(tx: Queryable, target: string): Promise<void> {
  await tx.execute(
    sql`create table ${sql.raw(MARK)} (target text not null, moved_at timestamptz not null default clock_timestamp())`,
  )
  await tx.execute(sql`insert into ${sql.raw(MARK)} (target) values (${target})`)
  await tx.execute(
    sql.raw(`
    create function ${REFUSAL}() returns trigger language plpgsql as $refuse$
    begin
      raise exception 'the rows of this database were moved to another one' using errcode = 'read_only_sql_transaction';
    end $refuse$;
    do $$
    declare name regclass;
    begin
      for name in select oid from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r' loop
        execute format('create trigger ${REFUSAL} before insert or update or delete or truncate on %s '
          'for each statement execute function ${REFUSAL}()', name);
      end loop;
      execute format('alter database %I set default_transaction_read_only = on', current_database());
    end $$`),
  )
}

/** Makes a fenced database writable again. @returns false if it was not fenced */
export async function removeWriteFence(tx: Queryable): Promise<boolean> {
  if (!(await tx.one<{ yes: boolean }>(isMoved)).yes) return false
  await tx.execute(
    sql.raw(`
    drop table ${MARK};
    drop function ${REFUSAL} cascade;
    do $$ begin
      execute format('alter database %I reset default_transaction_read_only', current_database());
    end $$`),
  )
  return true
}
