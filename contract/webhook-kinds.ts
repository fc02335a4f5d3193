import * as v from 'valibot'

export const WEBHOOK_KINDS = ['booking', 'waiting-list', 'promotion', 'cancellation', 'course-changed'] as const
export const webhookKind = v.picklist(WEBHOOK_KINDS)
export type WebhookKind = v.InferOutput<typeof webhookKind>
