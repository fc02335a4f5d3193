import * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import { listOf, pageById } from './office.ts'
import { scope } from './scopes.ts'
import { idParams } from './values.ts'
import { webhookKind } from './webhook-kinds.ts'

/** 'YYYY-MM-DDTHH:mm' */
const moment = v.string()
const number = v.number()

export const listTokens = endpoint('office', 'GET', '/api/office/tokens', {
  rights: ['owner'],
  query: v.object(pageById),
  response: listOf(
    v.object({
      tokenId: number,
      name: v.string(),
      scopes: v.array(scope),
      createdAt: moment,
      /** the last day on which it works */
      expiresOn: v.string(),
      lastUsedAt: v.nullable(moment),
      isWorking: v.boolean(),
    }),
  ),
})

export const listWebhooks = endpoint('office', 'GET', '/api/office/webhooks', {
  rights: ['owner'],
  query: v.object(pageById),
  response: listOf(
    v.object({
      webhookId: number,
      name: v.string(),
      url: v.string(),
      kinds: v.array(webhookKind),
      active: v.boolean(),
      /** how many calls wait to be taken */
      waiting: number,
      /** since when the receiver takes nothing; null: it does */
      failingSince: v.nullable(moment),
    }),
  ),
})

export const listDeliveries = endpoint('office', 'GET', '/api/office/webhooks/:id/deliveries', {
  rights: ['owner'],
  params: idParams,
  query: v.object(pageById),
  response: listOf(
    v.object({
      /** `webhook-id`: the same call again has the same one */
      eventId: v.string(),
      kind: webhookKind,
      createdAt: moment,
      attempts: number,
      sentAt: v.nullable(moment),
      /** what the receiver answered last, as an HTTP status; null: nothing */
      status: v.nullable(number),
      error: v.string(),
    }),
  ),
})
