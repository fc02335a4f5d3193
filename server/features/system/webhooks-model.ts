import { BOOKING_STATUS, WEBHOOK_KINDS, type WebhookKind } from '#contract/values.ts'
import { signWebhook } from '#server/platform/outbox/webhook-transport.ts'
import type { JsonSchema, OpenApiDocument, Parameter } from './openapi-model.ts'

const integer = (description: string): JsonSchema => ({ type: 'integer', description })
const ofBooking = {
  bookingId: integer('Id of the booking: `GET /api/office/bookings/{id}`'),
  courseId: integer('Id of the course: `GET /api/office/courses/{id}`'),
  webUserId: integer('Id of the person: `GET /api/office/people/{id}`'),
  bookingStatus: {
    ...integer('Status of the booking after the event'),
    enum: Object.values(BOOKING_STATUS),
    'x-enum-varnames': Object.keys(BOOKING_STATUS),
  },
}
const EVENTS: Record<WebhookKind, { summary: string; data: Record<string, JsonSchema> }> = {
  'booking.created': { summary: 'A seat was booked', data: ofBooking },
  'booking.waitlisted': { summary: 'A person joined the waiting list', data: ofBooking },
  'booking.promoted': { summary: 'A person was promoted from the waiting list to a seat', data: ofBooking },
  'booking.cancelled': { summary: 'A booking or waiting-list entry ended', data: ofBooking },
  'course.changed': {
    summary:
      'The `version` of a course increased: an office action or an import changed the course, its lessons or, with `book`, `cancel-booking` and `move-booking`, its bookings. Not sent for bookings and cancellations by the participants themselves, or for an action that changes nothing',
    data: {
      courseId: ofBooking.courseId,
      number: { type: 'string', description: 'Course number' },
      version: integer('Version of the course; increases with each change'),
      cancelled: { type: 'boolean', description: 'Whether the course is cancelled' },
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
  'Targets: `https` URLs with a public IP address. The operator can allow private networks, for which plain `http` is allowed as well (`WEBHOOK_NETWORKS`). `save-webhook` refuses, with `office.failed.webhookUrl`, an IP address that is not allowed, and plain `http` if no network is allowed. A host name is resolved and checked at each delivery.',
  'Delivery: a response with a status from 200 to 299 within 10 s acknowledges the event; redirects are not followed. A failed delivery is retried after 10 s, then with exponential backoff (doubled each time, at most 10 minutes) for five days, after which the event is undeliverable. When a delivery succeeds, the failed events of the same webhook are retried immediately.',
  'Order: events of the same booking (course and person), or of the same course, are sent sequentially. A failing event therefore delays the later events of the same object, which have `attempts` 0, but no other events. An event can be delivered twice, with the same `webhook-id`.',
  'Monitoring: `failingSince` in `GET /api/office/webhooks` is the start of an outage. `GET /api/office/webhooks/{id}/deliveries` lists the events of the past 30 days with `attempts`, `status` and `error`, a human-readable text.',
  'Signature: `webhook-signature` is a list of signatures separated by spaces. Accept a request if its timestamp differs from the current time by at most five minutes and one of the signatures equals `v1,` followed by the base64-encoded HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{body}`. The body is the unmodified request body, and the key is the base64-decoded part of the secret after `whsec_`.',
  `Test vector: secret \`${secret}\`, webhook-id \`${id}\`, webhook-timestamp \`${timestamp}\`, body \`${body}\`, webhook-signature \`${signWebhook(secret, id, timestamp, body)}\`.`,
  'Testing: there is no test event. The actions `confirm-course` and then `unconfirm-course`, each with `quiet` and a `reason`, send `course.changed` without notifying anyone; without `quiet`, the instructors receive an e-mail. Both actions are recorded in the audit log.',
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
    header('webhook-id', 'Unique id of the event; the same for all delivery attempts'),
    header('webhook-timestamp', 'Time of the delivery attempt in seconds since 1970-01-01 UTC'),
    header('webhook-signature', '`v1,` followed by the base64-encoded HMAC-SHA256 of id, timestamp and body'),
  ]
  const describe = (kind: WebhookKind) => {
    const { summary, data } = EVENTS[kind]
    const properties = {
      type: { type: 'string', const: kind, description: 'Type of the event' },
      timestamp: {
        type: 'string',
        format: 'date-time',
        description: 'Date and time of the event in UTC: `2026-11-26T19:00:00.000Z`',
      },
      data: {
        type: 'object',
        required: Object.keys(data),
        properties: data,
        description: 'Data of the event, without names of people',
      },
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
        responses: { '2XX': { description: 'Event acknowledged; any other response is retried for five days' } },
      },
    }
  }
  return Object.fromEntries(WEBHOOK_KINDS.map(kind => [kind, describe(kind)]))
}
