import type { Right } from '#contract/rights.ts'
import type { Language } from '#contract/values.ts'
import { insertMail } from '#server/mail/outbox.ts'
import { translate } from '#server/texts/translate.ts'
import type { Desk } from './desk-service.ts'
import { insertPersonRow } from './people-repository.ts'
import { countPasskeys, deletePasskeys, deleteRight, findHolder, insertRight, lockOwners } from './rights-repository.ts'

const wordsFor = (key: string, values: (language: Language) => Record<string, string>) => {
  const wordsIn = (language: Language) => ({
    title: translate(language, `office.notice.${key}.title`, values(language)),
    paragraphs: translate(language, `office.notice.${key}.text`, values(language)).split('\n\n'),
  })
  return { de: wordsIn('de'), en: wordsIn('en') }
}
const rightIn = (right: Right) => (language: Language) => ({ right: translate(language, `office.right.${right}`) })

/** Gives a right to the account of an address. @throws NotDone when there is none */
export async function grantRight(desk: Desk, email: string, right: Right): Promise<void> {
  const owners = await lockOwners(desk.tx)
  const holder = await findHolder(desk.tx, email)
  if (holder === null) return desk.fail('unknown.email')
  const isNew = await insertRight(desk.tx, holder.id, right)
  desk.concern({ people: [holder.id] })
  desk.note({ objects: { webUserId: holder.id, right }, after: { isNew } })
  if (!isNew) return
  const path = '/office'
  await desk.tell([holder.id], { words: wordsFor('granted', rightIn(right)), path })
  // The first passkey takes more than the password: the link of this mail.
  if ((await countPasskeys(desk.tx, holder.id)) === 0)
    await insertMail(desk.tx, { webUserId: holder.id, kind: 'passkey-link', payload: {} })
  if (desk.actor.id === holder.id) {
    const others = owners.filter(id => id !== holder.id)
    const words = wordsFor('grantedSelf', language => ({ ...rightIn(right)(language), name: holder.name || email }))
    await desk.tell(others, { words, path })
  }
}

/** @throws NotDone for the last owner */
export async function revokeRight(
  desk: Desk,
  email: string,
  right: Right,
  { mayBeLastOwner = false } = {},
): Promise<void> {
  const owners = await lockOwners(desk.tx)
  const holder = await findHolder(desk.tx, email)
  if (holder === null) return desk.fail('unknown.email')
  if (!mayBeLastOwner && right === 'owner' && owners.length === 1 && owners[0] === holder.id)
    desk.fail('failed.lastOwner')
  const isGone = await deleteRight(desk.tx, holder.id, right)
  desk.concern({ people: [holder.id] })
  desk.note({ objects: { webUserId: holder.id, right }, before: { isHeld: isGone } })
  if (isGone) await desk.tell([holder.id], { words: wordsFor('revoked', rightIn(right)), path: '/' })
}

/** For the command: the person is made where there is none, and gets a mail to choose a password. */
export async function addHolder(desk: Desk, email: string, right: Right): Promise<void> {
  const known = await findHolder(desk.tx, email)
  if (known === null || known.state === 'claimed') {
    const id = await insertPersonRow(desk.tx, { email }, true)
    desk.concern({ people: [id] })
    await insertMail(desk.tx, { webUserId: id, kind: 'welcome-import', payload: {} })
  }
  await grantRight(desk, email, right)
}

/** A lost key: all passkeys end, and the next one is registered with a link as the first was. @returns how many there were */
export async function resetPasskeys(desk: Desk, email: string): Promise<number> {
  const holder = await findHolder(desk.tx, email)
  if (holder === null) return desk.fail('unknown.email')
  const count = await deletePasskeys(desk.tx, holder.id)
  desk.concern({ people: [holder.id] })
  desk.note({ objects: { webUserId: holder.id }, before: { passkeys: count } })
  await desk.tell([holder.id], { words: wordsFor('passkeysReset', () => ({})), path: '/office' })
  await insertMail(desk.tx, { webUserId: holder.id, kind: 'passkey-link', payload: {} })
  return count
}
