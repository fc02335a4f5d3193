import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import { count, id, idParam } from '../values.ts'

const text = v.string()
/** SHA-256 hash in hexadecimal digits. */
const hash = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/))

/** Seconds of an opening for which requests are counted individually. */
export const COUNTED_SECONDS = 120

const orderedCourse = v.object({
  courseId: id,
  number: text,
  name: text,
  name2: text,
  requests: count,
  places: count,
  root: hash,
})
const countedSecond = v.object({ second: text, requests: count, refused: count })

/** The published order of a season's booking requests. Times are in UTC, in the format of ISO 8601. */
export const bookingOrder = v.object({
  seasonId: id,
  name: text,
  name2: text,
  publishedAt: text,
  digest: hash,
  courses: v.array(orderedCourse),
  seconds: v.array(countedSecond),
})
export type BookingOrder = v.InferOutput<typeof bookingOrder>

const seasonParams = v.object({ seasonId: idParam })
export const getBookingOrder = endpoint('public', 'GET', '/api/booking-order/:seasonId', {
  params: seasonParams,
  response: bookingOrder,
})
export const getBookingOrderHashes = endpoint('public', 'GET', '/api/booking-order/:seasonId/hashes', {
  params: seasonParams,
  response: { file: 'text/plain' },
})

const ownRequest = v.object({
  number: count,
  requests: count,
  askedAt: text,
  places: count,
  /** text of the leaf and the path from it to the root; null: not published */
  proof: v.nullable(v.object({ seasonId: id, leaf: text, path: v.array(hash) })),
})
export type OwnRequest = v.InferOutput<typeof ownRequest>
export const getOwnRequest = endpoint('session', 'GET', '/api/course/:id/request', {
  params: v.object({ id: idParam }),
  response: v.object({ request: v.nullable(ownRequest) }),
})
