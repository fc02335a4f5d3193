import * as v from 'valibot'

/** Event types of webhooks, named according to Standard Webhooks. */
export const WEBHOOK_KINDS = [
  'booking.created',
  'booking.waitlisted',
  'booking.promoted',
  'booking.cancelled',
  'course.changed',
] as const
export const webhookKind = v.picklist(WEBHOOK_KINDS)
export type WebhookKind = v.InferOutput<typeof webhookKind>
