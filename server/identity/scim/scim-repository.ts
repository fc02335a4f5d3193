import { type Queryable, sql } from '#server/platform/db/client.ts'
import type { ScimFilter, ScimPerson } from './scim-rules.ts'

export type StoredScimUser = ScimPerson & { id: string; divisionId: number | null; createdAt: Date; changedAt: Date }

const columns = sql`s.id, s.user_name as "userName", s.external_id as "externalId", s.personnel_number as "personnelNumber",
  s.employee_status as "employeeStatus", s.division_id as "divisionId", s.is_active as "isActive",
  (select d.name from divisions d where d.id = s.division_id) as division, s.created_at as "createdAt", s.changed_at as "changedAt"`

/** Serializes changes until the transaction ends, so that two people cannot get the same personnel number. */
export const lockScimUsers = (tx: Queryable) => tx.execute(sql`select pg_advisory_xact_lock(hashtext('scim'))`)

const where = (filter: ScimFilter | null) => {
  if (filter === null) return sql`true`
  const { by, value } = filter
  if (by === 'userName') return sql`lower(s.user_name) = lower(${value})`
  if (by === 'externalId') return sql`s.external_id = ${value}`
  return by === 'id' ? sql`s.id::text = lower(${value})` : sql`s.personnel_number = ${value}`
}

export const countScimUsers = async (db: Queryable, filter: ScimFilter | null): Promise<number> =>
  (await db.one<{ count: number }>(sql`select count(*) as count from scim_users s where ${where(filter)}`)).count

export const listScimUsers = (
  db: Queryable,
  filter: ScimFilter | null,
  { offset, limit }: { offset: number; limit: number },
): Promise<StoredScimUser[]> =>
  db.query(sql`
    select ${columns} from scim_users s where ${where(filter)} order by s.created_at, s.id offset ${offset} limit ${limit}`)

export const findScimUser = (db: Queryable, id: string): Promise<StoredScimUser | null> =>
  db.maybeOne(sql`select ${columns} from scim_users s where s.id = ${id}`)

export const findDuplicateScimUser = async (
  tx: Queryable,
  person: ScimPerson,
  but: string | null,
): Promise<string | null> => {
  const other = await tx.maybeOne<{ field: string }>(sql`
    select case when lower(user_name) = lower(${person.userName}) then 'userName'
      when external_id = ${person.externalId} then 'externalId' else 'employeeNumber' end as field
    from scim_users where id is distinct from ${but}::uuid and (lower(user_name) = lower(${person.userName})
      or external_id = ${person.externalId} or personnel_number = ${person.personnelNumber}) limit 1`)
  return other?.field ?? null
}

/**
 * Finds a division by id or name.
 * @returns undefined if there is none
 */
export const findDivision = async (tx: Queryable, division: string | null): Promise<number | null | undefined> => {
  if (division === null) return null
  const found = await tx.maybeOne<{ id: number }>(sql`
    select id from divisions where id::text = ${division} or lower(name) = lower(${division}) order by id::text = ${division} desc limit 1`)
  return found?.id
}

type Stored = ScimPerson & { divisionId: number | null }

export const insertScimUser = async (tx: Queryable, person: Stored): Promise<string> =>
  (
    await tx.one<{ id: string }>(sql`
      insert into scim_users (user_name, external_id, personnel_number, employee_status, division_id, is_active)
      values (${person.userName}, ${person.externalId}, ${person.personnelNumber}, ${person.employeeStatus}, ${person.divisionId},
        ${person.isActive}) returning id`)
  ).id

export const updateScimUser = (tx: Queryable, id: string, person: Stored) =>
  tx.execute(sql`
    update scim_users set user_name = ${person.userName}, external_id = ${person.externalId},
      personnel_number = ${person.personnelNumber}, employee_status = ${person.employeeStatus}, division_id = ${person.divisionId},
      is_active = ${person.isActive}, changed_at = clock_timestamp()
    where id = ${id}`)

export const deleteScimUser = (tx: Queryable, id: string) => tx.execute(sql`delete from scim_users where id = ${id}`)
