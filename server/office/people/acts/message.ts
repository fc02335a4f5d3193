import { isLessonPlanned } from '#server/features/courses/lesson-repository.ts'
import { type ActHandler, accountIdOf } from '#server/office/frame/office-context-service.ts'
import {
  deleteMessage,
  findMessageAudience,
  insertMessage,
  isSendTimeInFuture,
  updateMessage,
} from '../message-repository.ts'
import { findPerson } from '../person-repository.ts'

/** Sends a message to the inboxes of an audience and, optionally, as an e-mail. */
const sendMessage: ActHandler<'send-message'> = async (office, act) => {
  const { to, id, filter, title, title2 = '', text = '', text2 = '', mail, messageId } = act
  const audience = await findMessageAudience(office.tx, act)
  if (audience === null)
    return office.fail(to === 'filter' || id === undefined ? 'failed.recipientMissing' : `unknown.${to}`)
  // Instructors without an account have no inbox.
  const addresses = mail ? (audience.addresses ?? []) : []
  if (audience.people.length + addresses.length === 0) office.fail('failed.nobodyMatches')
  office.addAffected(audience)
  office.note({
    objects: { to, ...(id !== undefined && { id }) },
    after: { mail: String(mail), ...(filter && { filter }) },
  })
  office.noteText([title, title2, text, text2].filter(Boolean).join('\n'))
  const wordsOf = (head: string, body: string) => ({ title: head, paragraphs: body.split(/\n{2,}/).filter(Boolean) })
  const notice = {
    words: { de: wordsOf(title, text), en: wordsOf(title2 || title, text2 || text) },
    path: audience.path,
    isMailed: mail,
  }
  await office.notify(audience.people, notice, { addresses, names: [] })
  if (messageId !== undefined) await deleteMessage(office.tx, messageId)
  return {}
}

/**
 * Stores a draft, a template or a scheduled message. Its recipients are determined when it is sent; the result counts
 * the current ones.
 */
const saveMessage: ActHandler<'save-message'> = async (office, act) => {
  const {
    messageId,
    state,
    to = null,
    toId = null,
    filter = null,
    title,
    title2 = '',
    text = '',
    text2 = '',
    mail,
  } = act
  const sendAt = state === 'scheduled' ? (act.sendAt ?? office.fail('failed.sendAtMissing')) : null
  let recipients = 0
  if (sendAt !== null) {
    if (!(await isSendTimeInFuture(office.tx, sendAt))) office.fail('failed.sendAtPast')
    const audience =
      to && (await findMessageAudience(office.tx, { to, id: toId ?? undefined, filter: filter ?? undefined }))
    if (!audience) return office.fail('failed.recipientMissing')
    if (to === 'lesson' && toId !== null && !(await isLessonPlanned(office.tx, toId)))
      office.fail('failed.lessonCancelled')
    office.addAffected(audience)
    recipients = audience.people.length + (audience.addresses ?? []).length
  } else if (to === 'person' && toId !== null && (await findPerson(office.tx, toId)) === null)
    office.fail('unknown.person')
  const fields = { to, toId, filter, title, title2, text, text2, mail }
  const message = { state, sendAt, fields, writtenBy: accountIdOf(office.actor) }
  if (messageId !== undefined && !(await updateMessage(office.tx, messageId, message))) office.fail('unknown.message')
  const id = messageId ?? (await insertMessage(office.tx, message)).id
  office.note({ objects: { messageId: id }, after: { state, ...(sendAt && { sendAt }) } })
  return { id, ...(sendAt && { recipients }) }
}

const removeMessage: ActHandler<'remove-message'> = async (office, { messageId }) => {
  office.note({ objects: { messageId } })
  if (!(await deleteMessage(office.tx, messageId))) office.fail('unknown.message')
  return {}
}

export const messageHandlers = {
  'send-message': sendMessage,
  'save-message': saveMessage,
  'remove-message': removeMessage,
}
