import type { ActHandler } from '#server/features/office/desk-service.ts'
import { findAudience } from '../audience-repository.ts'

/** Sends a message to the inboxes of an audience, optionally by mail too. */
export const sendMessage: ActHandler<'send-message'> = async (desk, act) => {
  const { to, id, title, title2 = '', text = '', text2 = '', mail } = act
  const audience = await findAudience(desk.tx, to, id)
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
  return {}
}
