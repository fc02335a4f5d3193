import type { Language, Right } from '#contract/values.ts'
import { lockAccountByEmail } from '#server/features/accounts/claim-repository.ts'
import { revokeUnverifiedAccess, withdrawInvitation } from '#server/features/accounts/email-service.ts'
import { asksForPasskeys } from '#server/platform/config/config.ts'
import { insertMail } from '#server/platform/outbox/outbox.ts'
import { translate } from '#server/platform/texts/translate.ts'
import type { OfficeContext } from './office-context-service.ts'
import * as repository from './rights-repository.ts'

const wordsFor = (key: string, values: (language: Language) => Record<string, string>) => {
  const wordsIn = (language: Language) => ({
    title: translate(language, `office.notice.${key}.title`, values(language)),
    paragraphs: translate(language, `office.notice.${key}.text`, values(language)).split('\n\n'),
  })
  return { de: wordsIn('de'), en: wordsIn('en') }
}
const rightIn = (right: Right) => (language: Language) => ({ right: translate(language, `office.right.${right}`) })

/**
 * Grants a permission to the account with this e-mail address and notifies the person.
 * @throws ActRejected if there is no such account
 */
export async function grantRight(office: OfficeContext, email: string, right: Right): Promise<void> {
  const holder = await lockAccountByEmail(office.tx, email)
  if (holder === null) return office.fail('unknown.email')
  await revokeUnverifiedAccess(office.tx, holder.id)
  const isNew = await repository.insertRight(office.tx, holder.id, right)
  office.addAffected({ people: [holder.id] })
  office.note({ objects: { webUserId: holder.id, right }, after: { isNew } })
  if (!isNew) return
  // Registering the first passkey requires the password and the link in the e-mail, which also announces the right.
  const needsPasskey = asksForPasskeys(office.config) && (await repository.countPasskeys(office.tx, holder.id)) === 0
  const notice = { words: wordsFor('granted', rightIn(right)), path: '/office', isMailed: !needsPasskey }
  await office.notify([holder.id], notice)
  if (needsPasskey) await insertMail(office.tx, { webUserId: holder.id, kind: 'passkey-link', payload: {} })
}

/**
 * Revokes a permission, held or pending, of the account with this e-mail address and notifies the person. With the last
 * pending one, the invitation and its password are withdrawn.
 * @throws ActRejected if there is no such account
 */
export async function revokeRight(office: OfficeContext, email: string, right: Right): Promise<void> {
  const holder = await lockAccountByEmail(office.tx, email)
  if (holder === null) return office.fail('unknown.email')
  const { isHeld, isPending } = await repository.deleteRight(office.tx, holder.id, right)
  office.addAffected({ people: [holder.id] })
  office.note({ objects: { webUserId: holder.id, right }, before: { isHeld, ...(isPending && { isPending }) } })
  const isWithdrawn = isPending && !(await repository.hasRights(office.tx, holder.id))
  const isInvited = !isWithdrawn || !(await withdrawInvitation(office.tx, holder.id))
  if (isHeld || (isPending && isInvited))
    await office.notify([holder.id], { words: wordsFor('revoked', rightIn(right)), path: '/' })
}

/**
 * Replaces lost passkeys: deletes all passkeys of a person and e-mails a link to register a new one.
 * @returns number of deleted passkeys
 */
export async function resetPasskeys(office: OfficeContext, email: string): Promise<number> {
  const holder = await lockAccountByEmail(office.tx, email)
  if (holder === null) return office.fail('unknown.email')
  const count = await repository.deletePasskeys(office.tx, holder.id)
  office.addAffected({ people: [holder.id] })
  office.note({ objects: { webUserId: holder.id }, before: { passkeys: count } })
  await office.notify([holder.id], { words: wordsFor('passkeysReset', () => ({})), path: '/office' })
  await insertMail(office.tx, { webUserId: holder.id, kind: 'passkey-link', payload: {} })
  return count
}
