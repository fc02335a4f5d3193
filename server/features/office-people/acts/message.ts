import { type ActHandler, accountIdOf } from '#server/features/office/desk-service.ts'
import {
  deleteMessage,
  findMessageAudience,
  insertMessage,
  isSendTimeInFuture,
  updateMessage,
} from '../message-repository.ts'

/** Sends a message to the inboxes of an audience and, optionally, as an e-mail. */
export const sendMessage: ActHandler<'send-message'> = async (desk, act) => {
  const { to, id, title, title2 = '', text = '', text2 = '', mail, messageId } = act
  const audience = await findMessageAudience(desk.tx, to, id)
  if (audience === null) return desk.fail(`unknown.${to}`)
  desk.addAffected(audience)
  desk.note({ objects: { to, id }, after: { mail: String(mail) } })
  desk.noteText([title, title2, text, text2].filter(Boolean).join('\n'))
  const wordsOf = (head: string, body: string) => ({ title: head, paragraphs: body.split(/\n{2,}/).filter(Boolean) })
  await desk.notify(audience.people, {
    words: { de: wordsOf(title, text), en: wordsOf(title2 || title, text2 || text) },
    path: audience.path,
    isMailed: mail,
  })
  if (messageId !== undefined) await deleteMessage(desk.tx, messageId)
  return {}
}

/**
 * Stores a draft, a template or a scheduled message. Its recipients are determined when it is sent; the result counts
 * the current ones.
 */
export const saveMessage: ActHandler<'save-message'> = async (desk, act) => {
  const { messageId, state, to = null, toId = null, title, title2 = '', text = '', text2 = '', mail } = act
  const sendAt = state === 'scheduled' ? (act.sendAt ?? desk.fail('failed.sendAtMissing')) : null
  let recipients = 0
  if (sendAt !== null) {
    if (!(await isSendTimeInFuture(desk.tx, sendAt))) desk.fail('failed.sendAtPast')
    const audience = to && toId && (await findMessageAudience(desk.tx, to, toId))
    if (!audience) return desk.fail('failed.recipientMissing')
    desk.addAffected(audience)
    recipients = audience.people.length
  }
  const fields = { to, toId, title, title2, text, text2, mail }
  const message = { state, sendAt, fields, writtenBy: accountIdOf(desk.actor) }
  if (messageId !== undefined && !(await updateMessage(desk.tx, messageId, message))) desk.fail('unknown.message')
  const id = messageId ?? (await insertMessage(desk.tx, message)).id
  desk.note({ objects: { messageId: id }, after: { state, ...(sendAt && { sendAt }) } })
  return { id, ...(sendAt && { recipients }) }
}

export const removeMessage: ActHandler<'remove-message'> = async (desk, { messageId }) => {
  desk.note({ objects: { messageId } })
  if (!(await deleteMessage(desk.tx, messageId))) desk.fail('unknown.message')
  return {}
}
