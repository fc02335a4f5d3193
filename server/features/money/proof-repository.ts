import { type Queryable, sql } from '#server/platform/db/client.ts'
import type { AttendanceProof } from './proof-rules.ts'

/** SQL for the accepted sick notes and shift certificates of the person `u`, as JSON. */
export const acceptedProofs = sql`(
  select coalesce(json_agg(json_build_object('kind', kind, 'from', starts_on, 'to', ends_on)), '[]')
  from proofs where web_user_id = u.id and state = 'accepted')`

export type ProofState = 'open' | 'accepted' | 'refused'
export type AttendanceProofRow = {
  id: number
  webUserId: number
  name: string
  kind: AttendanceProof['kind']
  from: string
  to: string
  state: ProofState
  reason: string
  fileName: string
  hasFile: boolean
  createdAt: string
}

const at = (column: ReturnType<typeof sql>) => sql`to_char(${column}, 'YYYY-MM-DD"T"HH24:MI')`
const columns = sql`
  p.id, p.web_user_id as "webUserId", concat_ws(' ', nullif(u.given_name, ''), u.family_name) as name, p.kind,
  p.starts_on::text as "from", p.ends_on::text as "to", p.state, p.reason, p.file_name as "fileName",
  p.content is not null as "hasFile", ${at(sql`p.created_at`)} as "createdAt"`

export type NewAttendanceProof = Pick<AttendanceProof, 'kind' | 'from' | 'to'> & {
  webUserId: number
  fileName: string
  mediaType: string
  content: Buffer
  /** version of the consent text that the person agreed to; stored for sick notes only */
  consent: string
}

export const insertAttendanceProof = async (tx: Queryable, proof: NewAttendanceProof): Promise<number> =>
  (
    await tx.one<{ id: number }>(sql`
      insert into proofs (web_user_id, kind, starts_on, ends_on, file_name, media_type, content, consented_at, consent_version)
      values (${proof.webUserId}, ${proof.kind}, ${proof.from}, ${proof.to}, ${proof.fileName}, ${proof.mediaType}, ${proof.content},
        case when ${proof.kind} = 'sick' then clock_timestamp() end, case when ${proof.kind} = 'sick' then ${proof.consent} end)
      returning id`)
  ).id

/** The same document for the same period that awaits a decision, as the person sends it again after a lost response. */
export const findSameUndecidedProof = async (
  tx: Queryable,
  { webUserId, kind, from, to, content }: Omit<NewAttendanceProof, 'fileName' | 'mediaType' | 'consent'>,
): Promise<number | null> =>
  (
    await tx.maybeOne<{ id: number }>(sql`
      select id from proofs where web_user_id = ${webUserId} and state = 'open' and kind = ${kind} and starts_on = ${from}
        and ends_on = ${to} and content = ${content} limit 1`)
  )?.id ?? null

/**
 * Locks the person's sick notes and shift certificates until the transaction ends, so that concurrent uploads are
 * counted one after the other.
 */
export const lockProofs = (tx: Queryable, webUserId: number): Promise<number> =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`proofs ${webUserId}`}, 0))`)

export type ProofSizes = { count: number; bytes: number; bytesOfAll: number }
/** Number and size of the sick notes and shift certificates that await a decision, of the person and of everyone. */
export const measureUndecidedProofs = (db: Queryable, webUserId: number): Promise<ProofSizes> =>
  db.one(sql`
    select (count(*) filter (where web_user_id = ${webUserId}))::int as count,
      coalesce(sum(octet_length(content)) filter (where web_user_id = ${webUserId}), 0)::float8 as bytes,
      coalesce(sum(octet_length(content)), 0)::float8 as "bytesOfAll"
    from proofs where state = 'open'`)

export type ProofConsent = { at: string; version: string; withdrawnAt: string | null }
export const listOwnAttendanceProofs = (
  db: Queryable,
  webUserId: number,
): Promise<(AttendanceProofRow & { consent: ProofConsent | null })[]> =>
  db.query(sql`
    select ${columns}, case when p.consented_at is not null then json_build_object('at', ${at(sql`p.consented_at`)},
      'version', p.consent_version, 'withdrawnAt', ${at(sql`p.consent_withdrawn_at`)}) end as consent
    from proofs p join web_users u on u.id = p.web_user_id
    where p.web_user_id = ${webUserId} order by p.id desc`)

/** Sick notes and shift certificates, without those that stay with a merged account until both people have agreed. */
export const listAttendanceProofs = (
  db: Queryable,
  { state, person, limit, after }: { state: ProofState | null; person: number | null; limit: number; after: number },
): Promise<AttendanceProofRow[]> =>
  db.query(sql`
    select ${columns} from proofs p join web_users u on u.id = p.web_user_id
    where u.deleted_at is null and (${state}::text is null or p.state = ${state})
      and (${person}::int is null or p.web_user_id = ${person}) and p.id > ${after} order by p.id limit ${limit + 1}`)

/** Deletes a sick note or shift certificate on which no decision has been made yet, because the person withdrew it. */
export const deleteUndecidedProof = (db: Queryable, id: number, webUserId: number): Promise<number> =>
  db.execute(sql`delete from proofs where id = ${id} and web_user_id = ${webUserId} and state = 'open'`)

/**
 * Deletes the file of a sick note after the person withdrew consent to its storage. The decision on the sick note
 * remains.
 */
export const updateProofConsentWithdrawn = (db: Queryable, id: number, webUserId: number): Promise<number> =>
  db.execute(sql`
    update proofs set content = null, consent_withdrawn_at = coalesce(consent_withdrawn_at, clock_timestamp())
    where id = ${id} and web_user_id = ${webUserId} and kind = 'sick'`)

export const findAttendanceProofFile = (
  db: Queryable,
  id: number,
): Promise<{ webUserId: number; fileName: string; mediaType: string; content: Buffer } | null> =>
  db.maybeOne(sql`
    select web_user_id as "webUserId", file_name as "fileName", media_type as "mediaType", content
    from proofs where id = ${id} and content is not null`)

type LockedProof = Pick<AttendanceProofRow, 'webUserId' | 'kind' | 'from' | 'to' | 'state'> & {
  id: number
  /** the account was merged into another one, and the proof has not followed */
  isOfClosedAccount: boolean
}
export const lockAttendanceProof = (tx: Queryable, id: number): Promise<LockedProof | null> =>
  tx.maybeOne(sql`
    select id, web_user_id as "webUserId", kind, starts_on::text as "from", ends_on::text as "to", state, exists (
      select from web_users u where u.id = web_user_id and u.deleted_at is not null) as "isOfClosedAccount"
    from proofs where id = ${id} for no key update`)

/**
 * Whether a sick note or shift certificate was submitted after the deadline, which is `days` after the last lesson of a
 * course. Only the person's courses with a lesson in the certified period are considered; if there are several, the one
 * that ends last.
 */
export const isProofTooLate = async (tx: Queryable, proof: LockedProof, days: number): Promise<boolean> =>
  (
    await tx.one<{ isTooLate: boolean }>(sql`
      select coalesce(max(c.ends_on) + ${days}::int < (select created_at::date from proofs where id = ${proof.id}), false) as "isTooLate"
      from bookings b join courses c on c.id = b.course_id
      where b.web_user_id = ${proof.webUserId} and b.cancelled_at is null and b.state = 1
        and exists (select from course_dates d where d.course_id = c.id and d.held_at::date between ${proof.from} and ${proof.to})`)
  ).isTooLate

export const updateProofDecision = (
  tx: Queryable,
  id: number,
  { state, reason, decidedBy }: { state: ProofState; reason: string; decidedBy: number | null },
): Promise<number> =>
  tx.execute(sql`
    update proofs set state = ${state}, reason = ${reason}, decided_by = ${decidedBy}, decided_at = clock_timestamp() where id = ${id}`)

export const listAcceptedProofs = (tx: Queryable, webUserId: number): Promise<AttendanceProof[]> =>
  tx.query(sql`
    select kind, starts_on::text as "from", ends_on::text as "to" from proofs
    where web_user_id = ${webUserId} and state = 'accepted'`)

/** SQL condition: the holder of the personnel number of person `u` has agreed to pay for that person. */
export const hasPayerConsent = sql`exists (
  select from payer_consents c where c.web_user_id = u.id and c.personnel_number = u.personnel_number)`

export const upsertPayerConsent = (
  tx: Queryable,
  consent: {
    webUserId: number
    number: string
    file: { mediaType: string; content: Buffer } | null
    acceptedBy: number | null
  },
): Promise<number> =>
  tx.execute(sql`
    insert into payer_consents (web_user_id, personnel_number, media_type, content, accepted_by)
    values (${consent.webUserId}, ${consent.number}, ${consent.file?.mediaType ?? null}, ${consent.file?.content ?? null}, ${consent.acceptedBy})
    on conflict (web_user_id, personnel_number) do update set media_type = excluded.media_type, content = excluded.content,
      accepted_by = excluded.accepted_by, accepted_at = excluded.accepted_at`)
