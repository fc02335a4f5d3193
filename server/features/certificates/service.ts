import { randomBytes } from 'node:crypto'
import { CompactSign, calculateJwkThumbprint, decodeJwt, exportJWK, generateKeyPair, importJWK } from 'jose'
import * as v from 'valibot'
import type { ResponseOf } from '#contract/endpoint.ts'
import {
  CERTIFICATE_PATH,
  CERTIFICATE_SIGNATURE_ALGORITHM,
  type CertificateClaims,
  type CertificateDetails,
  certificateClaims,
  type getCertificateKeys,
} from '#contract/endpoints/certificates.ts'
import { isPrintableName } from '#contract/rules/name-letters.ts'
import type { Language } from '#contract/values.ts'
import { textInLanguage } from '#contract/words.ts'
import type { Config } from '#server/platform/config/config.ts'
import type { Queryable } from '#server/platform/db/client.ts'
import { findServerTime } from '#server/platform/db/date-time.ts'
import { type NoticeDelivery, sendNotices } from '#server/platform/outbox/notices.ts'
import { printDocument } from '#server/platform/pdf/printer.ts'
import { translate } from '#server/platform/texts/translate.ts'
import { layOutCertificate } from './document-model.ts'
import * as repository from './repository.ts'
import { listSigningKeys, lockSigningKeys, type StoredSigningKey, saveSigningKeys } from './repository.ts'

/**
 * Number of days for which a key is used for signing. Its private part is deleted when the next key is created; its
 * public part remains published.
 */
const KEY_DAYS = 365

const isFresh = ({ d, createdOn }: StoredSigningKey, today: string): boolean =>
  d !== null && Date.parse(today) - Date.parse(createdOn) < KEY_DAYS * 86_400_000

async function createKey(today: string): Promise<StoredSigningKey> {
  const { privateKey } = await generateKeyPair(CERTIFICATE_SIGNATURE_ALGORITHM, { crv: 'Ed25519', extractable: true })
  const jwk = await exportJWK(privateKey)
  // The key id is short because the QR code contains it, but unique among the few keys.
  const kid = (await calculateJwkThumbprint(jwk)).slice(0, 8)
  return { kid, x: jwk.x ?? '', d: jwk.d ?? '', createdOn: today }
}

/**
 * Finds the current signing key. The first certificate creates one, and a new one is created each year, in the caller's
 * transaction.
 */
async function findSigningKey(tx: Queryable, today: string) {
  const keys = await lockSigningKeys(tx)
  let key = keys.find(one => isFresh(one, today))
  if (!key) {
    key = await createKey(today)
    await saveSigningKeys(tx, [key, ...keys.map(one => ({ ...one, d: null }))])
  }
  const { kid, x, d } = key
  return { kid, key: await importJWK({ kty: 'OKP', crv: 'Ed25519', x, d: d ?? '' }, CERTIFICATE_SIGNATURE_ALGORITHM) }
}

/** Public keys as a JWK set, newest first. */
export async function listPublicKeys(db: Queryable): Promise<ResponseOf<typeof getCertificateKeys>> {
  const keys = await listSigningKeys(db)
  return {
    keys: keys.map(({ kid, x }) => ({
      kty: 'OKP',
      crv: 'Ed25519',
      x,
      kid,
      alg: CERTIFICATE_SIGNATURE_ALGORITHM,
      use: 'sig',
    })),
  }
}

type Settings = Pick<Config, 'publicUrl' | 'branding'>

const MESSAGES_PATH = '/messages'

/** Notice about a certificate. If `code` is given, the certificate is attached to the message. */
function noticeOf(
  key: string,
  webUserId: number,
  { course, course2 }: { course: string; course2: string },
  code?: string,
): NoticeDelivery {
  const wordsIn = (language: Language) => ({
    title: translate(language, `certificates.${key}.title`, { course: textInLanguage(language, course, course2) }),
    paragraphs: translate(language, `certificates.${key}.text`, {
      course: textInLanguage(language, course, course2),
    }).split('\n\n'),
  })
  // The document is always in German, because a German health insurer reads it.
  const document = code && {
    name: `${translate('de', 'certificates.document.title')} ${course}.pdf`,
    certificate: code,
  }
  return {
    people: [webUserId],
    notice: { words: { de: wordsIn('de'), en: wordsIn('en') }, path: MESSAGES_PATH, ...(document && { document }) },
  }
}

const namesOf = ({ facts: { course }, course2 }: { facts: CertificateDetails; course2: string }) => ({
  course,
  course2,
})

type New = { bookingId: number; webUserId: number; facts: CertificateDetails; version: number }

/**
 * Signs and stores certificates.
 * @returns their codes in the same order
 */
async function insertSigned(tx: Queryable, certificates: readonly New[]): Promise<string[]> {
  const [first] = certificates
  if (!first) return []
  const issued = (await findServerTime(tx)).slice(0, 10)
  const { kid, key } = await findSigningKey(tx, issued)
  const codes: string[] = []
  for (const { bookingId, webUserId, facts, version } of certificates) {
    const code = randomBytes(16).toString('base64url')
    const claims: CertificateClaims = { jti: code, version, issued, ...facts }
    const jws = await new CompactSign(Buffer.from(JSON.stringify(claims)))
      .setProtectedHeader({ alg: CERTIFICATE_SIGNATURE_ALGORITHM, kid })
      .sign(key)
    await repository.insertCertificate(tx, { code, bookingId, version, webUserId, jws })
    codes.push(code)
  }
  return codes
}

/**
 * Issues certificates to people who have earned one but hold none. Those whose name cannot be printed are asked for its
 * spelling in the passport.
 * @param isWanted whether to issue a certificate for a booking
 * @returns the notices to send
 */
export async function issueCertificates(
  tx: Queryable,
  courseId: number,
  isWanted: (place: repository.CertifiableBooking) => boolean,
): Promise<NoticeDelivery[]> {
  await repository.lockCertificates(tx)
  const places = await repository.listCertifiableBookings(tx, courseId)
  const due = places.filter(place => place.isEarned && place.code === null && isWanted(place))
  const printable = due.filter(one => isPrintableName(one.facts.name))
  const unprintable = due.filter(one => !printable.includes(one))
  const codes = await insertSigned(
    tx,
    printable.map(place => ({ ...place, version: place.version + 1 })),
  )
  return [
    ...printable.map((place, index) => noticeOf('issued', place.webUserId, namesOf(place), codes[index])),
    ...unprintable.map(place => noticeOf('spelling', place.webUserId, namesOf(place))),
  ]
}

/**
 * Revokes certificates that no longer match attendance, programme, ledger or name. Issues a new version where one is
 * still earned. Idempotent.
 * @returns the notices to send
 */
export async function refreshCertificates(
  tx: Queryable,
  scope: repository.CertificateScope,
): Promise<NoticeDelivery[]> {
  if ((await repository.listOutdatedCertificates(tx, scope)).length === 0) return []
  await repository.lockCertificates(tx)
  const outdated = await repository.listOutdatedCertificates(tx, scope)
  for (const { code } of outdated) await repository.updateCertificateRevoked(tx, code)
  const earned = outdated.flatMap(({ facts, ...one }) =>
    facts === null || !isPrintableName(facts.name) ? [] : [{ ...one, facts, version: one.version + 1 }],
  )
  const codes = await insertSigned(tx, earned)
  const lost = outdated.filter(({ bookingId }) => !earned.some(one => one.bookingId === bookingId))
  return [
    ...earned.map((one, index) => noticeOf('replaced', one.webUserId, namesOf(one), codes[index])),
    ...lost.map(one => noticeOf('revoked', one.webUserId, one)),
  ]
}

/**
 * Updates certificates after a settlement: replaces or revokes those that no longer match, and issues one to each
 * member of the health insurer unless the department has revoked the latest.
 * @returns the notices to send
 */
export const updateCertificatesAfterSettlement = async (tx: Queryable, courseId: number): Promise<NoticeDelivery[]> => [
  ...(await refreshCertificates(tx, { courseId })),
  ...(await issueCertificates(tx, courseId, ({ isInsured, isWithdrawn }) => isInsured && !isWithdrawn)),
]

/** Calls `refreshCertificates` and sends the resulting notices. Used for changes made outside the office UI. */
export const refreshCertificatesAndNotify = async (tx: Queryable, scope: repository.CertificateScope): Promise<void> =>
  sendNotices(tx, await refreshCertificates(tx, scope))

export const toRevocationNotice = (webUserId: number, names: { course: string; course2: string }): NoticeDelivery =>
  noticeOf('revoked', webUserId, names)

/** Renders a certificate as PDF; null once the account is deleted. */
export async function renderCertificatePdf(
  db: Queryable,
  code: string,
  settings: Settings,
): Promise<Uint8Array | null> {
  const jws = await repository.findCertificateJws(db, code)
  if (jws === null) return null
  const claims = v.parse(certificateClaims, decodeJwt(jws))
  const url = `${settings.publicUrl}${CERTIFICATE_PATH}#${jws}`
  return printDocument({ pdf: layOutCertificate(claims, { url, branding: settings.branding }) })
}
