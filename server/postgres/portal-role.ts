import type pg from 'pg'

/** Role of the portal's own statements: owns everything in the database, but is not a superuser. */
export const portalRole = 'portal_owner'

/**
 * Objects in the portal's schema still owned by the superuser, as left by older versions or restored copies. Sequences
 * follow their tables.
 */
const foreignObjects = `
  select format('alter table %s owner to ${portalRole}', oid::regclass) as command from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm') and relowner <> to_regrole('${portalRole}')
  union all select format('alter routine %s owner to ${portalRole}', oid::regprocedure) from pg_proc
    where pronamespace = 'public'::regnamespace and proowner <> to_regrole('${portalRole}')`

/** Creates the role and transfers ownership, unless done already. */
export async function preparePortalRole(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ isReady: boolean }>(`
    select coalesce((select nspowner = to_regrole('${portalRole}') from pg_namespace where nspname = 'public'), false)
      and not exists (${foreignObjects}) as "isReady"`)
  if (rows[0]?.isReady) return
  await client.query(`
    do $$
    declare
      foreign_object record;
    begin
      -- tools and a portal may start at once
      perform pg_advisory_xact_lock(hashtext('portal role'));
      if not exists (select from pg_roles where rolname = '${portalRole}') then
        create role ${portalRole} login;
      end if;
      execute format('alter database %I owner to ${portalRole}', current_database());
      alter schema public owner to ${portalRole};
      for foreign_object in ${foreignObjects} loop
        execute foreign_object.command;
      end loop;
    end $$`)
}
