import type { ActHandler } from '#server/office/frame/office-context-service.ts'
import { hashToken } from '#server/platform/http/token.ts'
import { isWebhookUrlAllowed } from '#server/platform/outbox/webhook-transport.ts'
import * as repository from '../repository.ts'

/** Creates a service token from the secret that the browser generated. Only its hash is stored. */
const createServiceToken: ActHandler<'create-token'> = async (office, { name, token, scopes, expiresOn }) => {
  const { isOver, isTooLong } = await repository.checkTokenExpiry(office.tx, expiresOn)
  if (isOver) office.fail('failed.tokenOver')
  if (isTooLong) office.fail('failed.tokenTooLong')
  const tokenHash = hashToken(token)
  const tokenId = await repository.insertServiceToken(office.tx, {
    name,
    tokenHash,
    scopes: [...new Set(scopes)],
    expiresOn,
  })
  if (tokenId === null) return office.fail('failed.tokenTwice')
  office.note({ objects: { tokenId }, after: { scopes, expiresOn } })
  office.noteText(name)
  return { tokenId }
}

const revokeServiceToken: ActHandler<'revoke-token'> = async (office, { tokenId }) => {
  if (!(await repository.updateTokenRevoked(office.tx, tokenId))) office.fail('unknown.tokens')
  office.note({ objects: { tokenId } })
}

/** Creates or updates a webhook. If no new secret is given, the stored one is kept. */
const saveWebhook: ActHandler<'save-webhook'> = async (office, { webhookId, name, url, secret, kinds, active }) => {
  // The URL of an inactive webhook is not checked: it is not called, and it must be possible to deactivate any webhook.
  if (active && !isWebhookUrlAllowed(url, office.config)) return office.fail('failed.webhookUrl')
  const webhook = { name, url, kinds: [...new Set(kinds)], active }
  if (webhookId === undefined && secret === undefined) return office.fail('failed.secretMissing')
  const saved = await repository.saveWebhook(office.tx, webhookId ?? null, { ...webhook, secret: secret ?? null })
  if (saved === null) return office.fail('unknown.webhooks')
  const after = { kinds: webhook.kinds, active, hasNewSecret: secret !== undefined }
  office.note({ objects: { webhookId: saved }, after })
  office.noteText(`${name} ${url}`)
  return { webhookId: saved }
}

const removeWebhook: ActHandler<'remove-webhook'> = async (office, { webhookId }) => {
  if (!(await repository.deleteWebhook(office.tx, webhookId))) office.fail('unknown.webhooks')
  office.note({ objects: { webhookId } })
}

export const connectionHandlers = {
  'create-token': createServiceToken,
  'revoke-token': revokeServiceToken,
  'save-webhook': saveWebhook,
  'remove-webhook': removeWebhook,
}
