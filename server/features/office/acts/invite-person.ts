import { isAddressHeld } from '#server/features/accounts/repository.ts'
import { insertMail } from '#server/mail/outbox.ts'
import type { ActHandler } from '../desk-service.ts'
import { insertPersonRow, updateLanguage } from '../people-repository.ts'
import { insertInvitedRights } from '../rights-repository.ts'

/** Creates an account with a mail to set it up. Its rights take effect with the first login, which proves the address. */
export const invitePerson: ActHandler<'invite-person'> = async (desk, { email, language, rights = [] }) => {
  if (await isAddressHeld(desk.tx, email)) desk.fail('failed.emailTaken')
  const webUserId = await insertPersonRow(desk.tx, { email })
  if (language) await updateLanguage(desk.tx, webUserId, language)
  await insertInvitedRights(desk.tx, webUserId, rights)
  await insertMail(desk.tx, { webUserId, kind: 'invitation', payload: {} })
  desk.made('web_users', webUserId)
  desk.concern({ people: [webUserId] })
  desk.note({ objects: { webUserId }, after: { rights: [...new Set(rights)] } })
  return { webUserId }
}
