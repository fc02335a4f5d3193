import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'

const text = v.string()
const number = v.number()

/** Signature algorithm of certificates (RFC 8037). Libraries support this name more widely than `Ed25519`. */
export const CERTIFICATE_SIGNATURE_ALGORITHM = 'EdDSA'

const code = v.pipe(text, v.regex(/^[\w-]{22}$/))

/** Facts stated on a certificate, taken from attendance records, the programme and the ledger. */
export const certificateDetails = v.object({
  name: text,
  course: text,
  courseNumber: text,
  /** the course's number in the list of the central test institute for prevention */
  institute: text,
  /** 'YYYY-MM-DD' */
  firstDay: text,
  lastDay: text,
  attended: number,
  held: number,
  /** total duration of the attended lessons, in minutes */
  minutes: number,
  /** duration of each lesson in minutes; 0 if the durations differ */
  lessonMinutes: number,
  instructor: text,
  /** amount charged in euros, after refunds and waivers */
  amount: number,
})
export type CertificateDetails = v.InferOutput<typeof certificateDetails>

/** Payload of the signed certificate. */
export const certificateClaims = v.object({
  ...certificateDetails.entries,
  jti: code,
  version: number,
  /** 'YYYY-MM-DD' */
  issued: text,
})
export type CertificateClaims = v.InferOutput<typeof certificateClaims>

/** Page of the app that verifies certificates. The compact JWS is in the fragment of its URL. */
export const CERTIFICATE_PATH = '/certificates'

export const getCertificateKeys = endpoint('public', 'GET', '/api/certificates/keys', {
  response: v.object({
    keys: v.array(
      v.object({
        kty: v.literal('OKP'),
        crv: v.literal('Ed25519'),
        x: text,
        kid: text,
        alg: v.literal(CERTIFICATE_SIGNATURE_ALGORITHM),
        use: v.literal('sig'),
      }),
    ),
  }),
})

export const getCertificate = endpoint('public', 'GET', '/api/certificates/:code', {
  params: v.object({ code: v.pipe(text, v.regex(/^[\w-]{1,40}$/)) }),
  response: v.object({ state: v.picklist(['valid', 'revoked', 'replaced']), issued: text }),
})
