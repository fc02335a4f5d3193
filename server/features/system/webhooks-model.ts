import { BOOKING_STATUS } from '#contract/values.ts'
import { WEBHOOK_KINDS, type WebhookKind } from '#contract/webhook-kinds.ts'
import { signWebhook } from '#server/queue/webhook-transport.ts'
import type { JsonSchema, OpenApiDocument, Parameter } from './openapi-model.ts'

const integer = (description: string): JsonSchema => ({ type: 'integer', description })
const ofBooking = {
  bookingId: integer('The booking: `GET /api/office/bookings/{id}`'),
  courseId: integer('The course: `GET /api/office/courses/{id}`'),
  webUserId: integer('The person: `GET /api/office/people/{id}`'),
  bookingStatus: {
    ...integer('The state after the event'),
    enum: Object.values(BOOKING_STATUS),
    'x-enum-varnames': Object.keys(BOOKING_STATUS),
  },
}
const EVENTS: Record<WebhookKind, { summary: string; data: Record<string, JsonSchema> }> = {
  'booking.created': { summary: 'A place was booked', data: ofBooking },
  'booking.waitlisted': { summary: 'A person joined the waiting list', data: ofBooking },
  'booking.promoted': { summary: 'A person moved up from the waiting list to a place', data: ofBooking },
  'booking.cancelled': { summary: 'A booking or a wait ended', data: ofBooking },
  'course.changed': {
    summary:
      'The `version` of a course grew: an act or an import changed the course, its lessons or, with `book`, `cancel-booking` and `move-booking`, its bookings. What people book and cancel themselves sends none, nor does an act that changes nothing',
    data: {
      courseId: ofBooking.courseId,
      number: { type: 'string', description: 'The number of the course' },
      version: integer('Grows with each change'),
      cancelled: { type: 'boolean', description: 'The course does not take place' },
    },
  },
}

/** Example request with which receivers can verify their implementation. */
const EXAMPLE = {
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  timestamp: 1614265330,
  body: '{"test": 2432232314}',
}
const { secret, id, timestamp, body } = EXAMPLE

/** Rules for the delivery of webhooks, shown on the API documentation page and in the OpenAPI document. */
export const WEBHOOK_DELIVERY_RULES: readonly string[] = [
  'Targets: `https` with a public address. The operator may allow private networks, with plain `http` there (`WEBHOOK_NETWORKS`). `save-webhook` refuses an IP address that is never called, and plain `http` while no network is allowed, with `office.failed.webhookUrl`; a host name is resolved and checked at each delivery.',
  'Delivery: any status 200 to 299 within 10 s acknowledges; redirects are not followed. Anything else is retried after 10 s, then twice as long each time, at most 10 minutes, for five days; then the event is given up. Once a delivery succeeds, the failed events of that webhook are due at once.',
  'Order: events about one booking (course and person), or about one course, are sent one after the other, so a failing one holds back the later ones of the same object, with `attempts` 0, and no others. An event can arrive twice, with the same `webhook-id`.',
  'State: `failingSince` of `GET /api/office/webhooks` is the start of an outage; `GET /api/office/webhooks/{id}/deliveries` has the events of 30 days with `attempts`, `status` and `error`, a text for people.',
  'Signature: `webhook-signature` is a list with blanks between its entries. Accept the call if one entry equals `v1,` and the base64 of HMAC-SHA256 over `{webhook-id}.{webhook-timestamp}.{body}`, with the body as it was received and the base64-decoded part of the secret after `whsec_` as key, and the timestamp is at most five minutes off.',
  `Test vector: secret \`${secret}\`, webhook-id \`${id}\`, webhook-timestamp \`${timestamp}\`, body \`${body}\`, webhook-signature \`${signWebhook(secret, id, timestamp, body)}\`.`,
  'There is no test event: `confirm-course`, then `unconfirm-course`, each with `quiet` and a `reason`, send `course.changed` and tell nobody; without `quiet` the instructors get a mail. Both go on record.',
]

/** Describes the requests to receivers, signed as specified by Standard Webhooks. */
export function describeWebhooks(): OpenApiDocument['webhooks'] {
  const header = (name: string, description: string): Parameter => ({
    name,
    in: 'header',
    required: true,
    description,
    schema: { type: 'string' },
  })
  const parameters = [
    header('webhook-id', 'Identifies the event; the same in each attempt'),
    header('webhook-timestamp', 'Seconds since 1970 of the attempt'),
    header('webhook-signature', '`v1,` and the HMAC-SHA256 of id, timestamp and body in base64'),
  ]
  const describe = (kind: WebhookKind) => {
    const { summary, data } = EVENTS[kind]
    const properties = {
      type: { const: kind, description: 'The event' },
      timestamp: {
        type: 'string',
        format: 'date-time',
        description: 'When it happened, in UTC: `2026-11-26T19:00:00.000Z`',
      },
      data: { type: 'object', required: Object.keys(data), properties: data, description: 'Ids, no names' },
    }
    const schema = { type: 'object', required: Object.keys(properties), properties }
    return {
      post: {
        operationId: `on-${kind.replace('.', '-')}`,
        security: [],
        summary,
        description: WEBHOOK_DELIVERY_RULES.join('\n\n'),
        parameters,
        requestBody: { required: true as const, content: { 'application/json': { schema } } },
        responses: { '2XX': { description: 'Received; anything else is repeated for five days' } },
      },
    }
  }
  return Object.fromEntries(WEBHOOK_KINDS.map(kind => [kind, describe(kind)]))
}
