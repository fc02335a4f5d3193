import sharp from 'sharp'
import type { ResponseOf } from '#contract/endpoint.ts'
import type * as contract from '#contract/endpoints/money.ts'
import { type listOwnProofs as listOwnProofsCall, MAX_ATTENDANCE_PROOF_BYTES } from '#contract/endpoints/money.ts'
import type { Language } from '#contract/values.ts'
import { formatDeadline } from '#contract/words.ts'
import { type Reauthentication, reauthenticate } from '#server/features/session/login-service.ts'
import type { Database, Queryable } from '#server/platform/db/client.ts'
import { toDateTimeValue } from '#server/platform/db/date-time.ts'
import type { SessionUser } from '#server/platform/http/mount.ts'
import { HttpProblem, serverBusy } from '#server/platform/http/problems.ts'
import type { UploadedFile } from '#server/platform/http/read-body.ts'
import { insertMail } from '#server/platform/outbox/outbox.ts'
import { checkIban } from '#server/platform/payments/iban-rules.ts'
import { translate } from '#server/platform/texts/translate.ts'
import { listLedgerEntryStates } from './batch-repository.ts'
import { listOwnInvoices } from './invoice-repository.ts'
import { listPayables } from './payable-repository.ts'
import { findIban, upsertIban } from './payout-repository.ts'
import * as proofs from './proof-repository.ts'
import { type AttendanceProof, MIN_SICK_WORKING_DAYS, toSickLeaves } from './proof-rules.ts'
import * as repository from './repository.ts'
import { billingRouteOf } from './rules.ts'

const sumCents = (entries: readonly { cents: number }[]) => entries.reduce((sum, { cents }) => sum + cents, 0)

/** State of entries in a closed but unpaid batch, by kind of batch. */
const SENT_STATES = { payroll: 'payroll', invoice: 'invoiced', refund: 'settled' } as const

/** A person's costs by season and course: ledger entries, and agreed amounts of courses that are not settled yet. */
export async function getOwnCosts(
  db: Database,
  webUserId: number,
  language: Language,
): Promise<ResponseOf<typeof contract.listOwnMoney>> {
  const entries = await repository.listOwnLedgerEntries(db, webUserId)
  const batched = new Map((await listLedgerEntryStates(db, webUserId)).map(one => [one.entryId, one]))
  const iban = maskIban(await findIban(db, webUserId))
  const invoices = await listOwnInvoices(db, webUserId)
  // The rest of a divided credit is last.
  const payable = (await listPayables(db, [webUserId])).findLast(one => one.webUserId === webUserId)
  const route = payable ? billingRouteOf(payable) : null
  const stateOf = (ofCourse: readonly repository.OwnLedgerEntry[]) => {
    const isOpen = ofCourse.some(({ id }) => id === null)
    const free = ofCourse.filter(({ id }) => id !== null && !batched.has(id))
    const isOwed = free.length > 0 && sumCents(free) !== 0
    if (isOwed && route?.kind === 'held')
      return { state: 'held' as const, cause: route.cause, help: translate(language, `money.held.${route.cause}`) }
    if (isOpen) return { state: 'open' as const, cause: '', help: '' }
    const batches = ofCourse.flatMap(({ id }) => (id === null ? [] : (batched.get(id) ?? [])))
    if (isOwed || batches.length === 0) return { state: 'settled' as const, cause: '', help: '' }
    const isPaid = batches.every(one => one.isPaid)
    const state = isPaid ? ('paid' as const) : SENT_STATES[batches.at(-1)?.kind ?? 'payroll']
    return { state, cause: '', help: '' }
  }
  const seasons = [...Map.groupBy(entries, ({ seasonId }) => seasonId)].map(([seasonId, ofSeason]) => ({
    seasonId,
    name: ofSeason[0]?.season ?? '',
    name2: ofSeason[0]?.season2 ?? '',
    courses: [...Map.groupBy(ofSeason, ({ courseId }) => courseId)].map(([courseId, ofCourse]) => ({
      courseId,
      number: ofCourse[0]?.number ?? '',
      name: ofCourse[0]?.name ?? '',
      name2: ofCourse[0]?.name2 ?? '',
      lines: ofCourse.map(({ kind, cents, reason, freeUntil, at }) => ({
        kind,
        amount: cents / 100,
        text: [
          [translate(language, `office.entry.${kind}`), reason].filter(Boolean).join(': '),
          freeUntil && `${translate(language, 'mail.facts.freeUntil')}: ${formatDeadline(toDateTimeValue(freeUntil))}`,
        ]
          .filter(Boolean)
          .join('. '),
        at,
      })),
      sum: sumCents(ofCourse) / 100,
      ...stateOf(ofCourse),
    })),
  }))
  return {
    balance: sumCents(entries.filter(({ id }) => id !== null)) / 100,
    iban,
    invoices: invoices.map(({ number, issuedOn, dueOn, cents, state }) => ({
      number,
      issuedOn,
      dueOn,
      amount: cents / 100,
      state,
    })),
    seasons,
  }
}

/** An IBAN as its owner recognises it: country, check digits and the last four characters; '' if there is none. */
const maskIban = (iban: string) => (iban === '' ? '' : `${iban.slice(0, 4)} … ${iban.slice(-4)}`)

type IbanOutcome = Reauthentication | { status: 'Failed'; reason: 'ibanInvalid' | 'ibanOutsideSepa' | 'noRefund' }

/**
 * Stores the IBAN for a refund and notifies the person by e-mail. Requires the current password or a login within the
 * past hour, so that a stolen session cannot redirect the refund.
 */
export async function saveRefundIban(
  db: Database,
  user: SessionUser,
  { iban, password }: { iban: string; password: string },
): Promise<IbanOutcome> {
  const state = checkIban(iban)
  if (state !== 'valid') return { status: 'Failed', reason: state === 'invalid' ? 'ibanInvalid' : 'ibanOutsideSepa' }
  const payable = (await listPayables(db, [user.id])).findLast(one => one.webUserId === user.id)
  const route = payable && billingRouteOf(payable)
  const isWanted =
    route?.kind === 'payout' || (route?.kind === 'held' && (route.cause === 'iban' || route.cause === 'payeeName'))
  if (!isWanted) return { status: 'Failed', reason: 'noRefund' }
  const proof = await reauthenticate(db, user, password)
  if (proof.status !== 'Ok') return proof
  await db.transaction(async tx => {
    if (await upsertIban(tx, user.id, iban))
      await insertMail(tx, { webUserId: user.id, kind: 'iban-changed', payload: { lastDigits: iban.slice(-4) } })
  })
  return proof
}

/** Quota of undecided sick notes and shift certificates: per person, and the size of everyone's. */
const MAX_OPEN_PROOFS = 20
const MAX_OPEN_PROOF_BYTES = 60 * 1024 * 1024
const MAX_OPEN_PROOF_BYTES_OF_ALL = 2 * 1024 * 1024 * 1024
const PROOF_RETRY_S = 3_600

/**
 * Whether the person may send another sick note or shift certificate.
 * @throws HttpProblem 503 if those of all people need too much space
 */
export async function hasRoomForProof(db: Queryable, webUserId: number, added = 0): Promise<boolean> {
  const { count, bytes, bytesOfAll } = await proofs.measureUndecidedProofs(db, webUserId)
  if (bytesOfAll + added > MAX_OPEN_PROOF_BYTES_OF_ALL) throw serverBusy(PROOF_RETRY_S)
  return count < MAX_OPEN_PROOFS && bytes + added <= MAX_OPEN_PROOF_BYTES
}

const ascii = (content: Buffer, from: number, to: number) => content.subarray(from, to).toString('latin1')
/**
 * Detects the media type from the content, because file extensions are not reliable; null if the type is not accepted.
 */
function mediaTypeOf(content: Buffer): string | null {
  if (ascii(content, 0, 5) === '%PDF-') return 'application/pdf'
  if (ascii(content, 0, 3) === '\u00ff\u00d8\u00ff') return 'image/jpeg'
  if (ascii(content, 1, 4) === 'PNG') return 'image/png'
  if (ascii(content, 4, 8) === 'ftyp' && /^(?:hei[cfmsx]|hev[cx]|mif1|msf1)$/.test(ascii(content, 8, 12)))
    return 'image/heic'
  return null
}

/** Verifies that a picture can be decoded. HEIC is excepted, because the portal does not decode it. */
async function requireReadable(content: Buffer, mediaType: string): Promise<void> {
  if (mediaType !== 'image/jpeg' && mediaType !== 'image/png') return
  const { width, height } = await sharp(content).metadata()
  if (!width || !height) throw new Error('no picture')
}

type Sent = Pick<AttendanceProof, 'kind' | 'from' | 'to'> & { consent: string }

/**
 * Stores a sick note or shift certificate until the department decides on it. Idempotent.
 * @returns its id; null if too many are undecided
 * @throws HttpProblem 400, 413
 */
export async function submitAttendanceProof(
  db: Database,
  webUserId: number,
  sent: Sent,
  file: UploadedFile,
): Promise<number | null> {
  const { content, name } = file
  if (content.byteLength > MAX_ATTENDANCE_PROOF_BYTES)
    throw new HttpProblem(413, 'http.fileTooLarge', { max: MAX_ATTENDANCE_PROOF_BYTES / 1024 / 1024 })
  const mediaType = mediaTypeOf(content)
  if (mediaType === null) throw new HttpProblem(400, 'http.badProof')
  await requireReadable(content, mediaType).catch(() => {
    throw new HttpProblem(400, 'http.badProof')
  })
  const fileName = name.replace(/[^\p{L}\p{N} ._-]/gu, '_').slice(-100) || 'file'
  return db.transaction(async tx => {
    await proofs.lockProofs(tx, webUserId)
    const known = await proofs.findSameUndecidedProof(tx, { webUserId, ...sent, content })
    if (known !== null) return known
    if (!(await hasRoomForProof(tx, webUserId, content.byteLength))) return null
    return proofs.insertAttendanceProof(tx, { webUserId, ...sent, fileName, mediaType, content })
  })
}

/** The person's sick notes and shift certificates and their effect, for example "8 of 10 working days". */
export async function listOwnProofs(
  db: Database,
  webUserId: number,
  { language, region }: { language: Language; region: string },
): Promise<ResponseOf<typeof listOwnProofsCall>> {
  const own = await proofs.listOwnAttendanceProofs(db, webUserId)
  const spans = toSickLeaves(
    region,
    own.filter(({ state }) => state === 'accepted'),
  )
  const effectOf = ({ kind, from, to, state }: proofs.AttendanceProofRow) => {
    if (state !== 'accepted') return ''
    const span = spans.find(one => one.from <= from && to <= one.to)
    const effect = kind === 'shift' ? 'shift' : span?.isLongEnough ? 'sick' : 'tooShort'
    const values = { days: span?.workingDays ?? 0, needed: MIN_SICK_WORKING_DAYS }
    return translate(language, `office.notice.proofEffect.${effect}`, values)
  }
  return {
    items: own.map(({ webUserId, name, hasFile, ...proof }) => ({
      ...proof,
      effect: effectOf({ ...proof, webUserId, name, hasFile }),
    })),
  }
}
