import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import { idParams, scope, webhookKind } from '../values.ts'
import { pageSchemaOf, pagingByIdQuery } from './office.ts'

/** 'YYYY-MM-DDTHH:mm' */
const moment = v.string()
const number = v.number()

export const listTokens = endpoint('office', 'GET', '/api/office/tokens', {
  rights: ['owner'],
  query: v.object(pagingByIdQuery),
  response: pageSchemaOf(
    v.object({
      tokenId: number,
      name: v.string(),
      scopes: v.array(scope),
      createdAt: moment,
      /** last day on which the token is valid */
      expiresOn: v.string(),
      lastUsedAt: v.nullable(moment),
      isWorking: v.boolean(),
    }),
  ),
})

export const listWebhooks = endpoint('office', 'GET', '/api/office/webhooks', {
  rights: ['owner'],
  query: v.object(pagingByIdQuery),
  response: pageSchemaOf(
    v.object({
      webhookId: number,
      name: v.string(),
      url: v.string(),
      kinds: v.array(webhookKind),
      active: v.boolean(),
      /** number of events waiting for delivery */
      waiting: number,
      /** start of the receiver's current outage; null if deliveries are succeeding */
      failingSince: v.nullable(moment),
    }),
  ),
})

export const listDeliveries = endpoint('office', 'GET', '/api/office/webhooks/:id/deliveries', {
  rights: ['owner'],
  params: idParams,
  query: v.object(pagingByIdQuery),
  response: pageSchemaOf(
    v.object({
      /** value of the `webhook-id` header, which is the same for all delivery attempts of an event */
      eventId: v.string(),
      kind: webhookKind,
      createdAt: moment,
      attempts: number,
      sentAt: v.nullable(moment),
      /** HTTP status of the receiver's last response; null if there was none */
      status: v.nullable(number),
      error: v.string(),
    }),
  ),
})
