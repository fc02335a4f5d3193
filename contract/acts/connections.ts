import * as v from 'valibot'
import { scope } from '../scopes.ts'
import { id } from '../values.ts'
import { webhookKind } from '../webhook-kinds.ts'
import { act, day, name } from './act.ts'

/** Made by who creates it, from random bytes, so that no answer of the portal holds it. */
const secret = v.pipe(v.string(), v.regex(/^[\w-]{40,100}$/))
const url = v.pipe(
  v.string(),
  v.maxLength(500),
  v.regex(
    /^https?:\/\/[\w.-]+(?::\d{1,5})?(?:[/?][^\s@]*)?$|^https?:\/\/\[[\da-f:.]+\](?::\d{1,5})?(?:[/?][^\s@]*)?$/i,
  ),
)

export const connectionActs = {
  'create-token': act('owner', {
    name: name(100),
    token: secret,
    scopes: v.pipe(v.array(scope), v.minLength(1), v.maxLength(10)),
    expiresOn: day,
  }),
  'revoke-token': act('owner', { tokenId: id }),
  'save-webhook': act('owner', {
    webhookId: v.optional(id),
    name: name(100),
    url,
    secret: v.optional(secret),
    kinds: v.pipe(v.array(webhookKind), v.minLength(1), v.maxLength(10)),
    active: v.optional(v.boolean(), true),
  }),
  'remove-webhook': act('owner', { webhookId: id }),
}
