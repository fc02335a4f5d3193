import type { ActHandler } from '#server/features/office/desk-service.ts'
import { hashToken } from '#server/http/token.ts'
import { isWebhookUrlAllowed } from '#server/queue/webhook-transport.ts'
import * as repository from '../repository.ts'

/** Creates a service token from the secret that the browser generated. Only its hash is stored. */
export const createServiceToken: ActHandler<'create-token'> = async (desk, { name, token, scopes, expiresOn }) => {
  const { isOver, isTooLong } = await repository.checkTokenExpiry(desk.tx, expiresOn)
  if (isOver) desk.fail('failed.tokenOver')
  if (isTooLong) desk.fail('failed.tokenTooLong')
  const tokenHash = hashToken(token)
  const tokenId = await repository.insertServiceToken(desk.tx, {
    name,
    tokenHash,
    scopes: [...new Set(scopes)],
    expiresOn,
  })
  if (tokenId === null) return desk.fail('failed.tokenTwice')
  desk.note({ objects: { tokenId }, after: { scopes, expiresOn } })
  desk.noteText(name)
  return { tokenId }
}

export const revokeServiceToken: ActHandler<'revoke-token'> = async (desk, { tokenId }) => {
  if (!(await repository.updateTokenRevoked(desk.tx, tokenId))) desk.fail('unknown.tokens')
  desk.note({ objects: { tokenId } })
}

/** Creates or updates a webhook. If no new secret is given, the stored one is kept. */
export const saveWebhook: ActHandler<'save-webhook'> = async (
  desk,
  { webhookId, name, url, secret, kinds, active },
) => {
  // The URL of an inactive webhook is not checked: it is not called, and it must be possible to deactivate any webhook.
  if (active && !isWebhookUrlAllowed(url, desk.config)) return desk.fail('failed.webhookUrl')
  const webhook = { name, url, kinds: [...new Set(kinds)], active }
  if (webhookId === undefined && secret === undefined) return desk.fail('failed.secretMissing')
  const saved = await repository.saveWebhook(desk.tx, webhookId ?? null, { ...webhook, secret: secret ?? null })
  if (saved === null) return desk.fail('unknown.webhooks')
  const after = { kinds: webhook.kinds, active, hasNewSecret: secret !== undefined }
  desk.note({ objects: { webhookId: saved }, after })
  desk.noteText(`${name} ${url}`)
  return { webhookId: saved }
}

export const removeWebhook: ActHandler<'remove-webhook'> = async (desk, { webhookId }) => {
  if (!(await repository.deleteWebhook(desk.tx, webhookId))) desk.fail('unknown.webhooks')
  desk.note({ objects: { webhookId } })
}
