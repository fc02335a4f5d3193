import { type ActEffects, isDeniedToApiClients } from '#contract/acts/act.ts'
import { effectsOf } from '#contract/acts/acts.ts'
import { isOneOf } from '#contract/records.ts'
import type { Language } from '#contract/values.ts'
import { deleteUnverifiedAccounts } from '#server/features/accounts/claim-repository.ts'
import { listRemainingOwners, listRightHolderIds, lockRights } from '#server/features/session/account-repository.ts'
import { HttpProblem, passkeyRequired, tokenNotAllowed } from '#server/platform/http/problems.ts'
import { type NoticeDelivery, notifyPeople, sendNotices } from '#server/platform/outbox/notices.ts'
import { translate } from '#server/platform/texts/translate.ts'
import { accountIdOf, type OfficeContext } from './office-context-service.ts'
import type { AffectedAccount, HeldRight, TeachingAssignment } from './rights-repository.ts'
import * as repository from './rights-repository.ts'

type SentAct = { kind: string; preview?: boolean }
type Fields = Readonly<Record<string, unknown>>

/** Maximum number of courses listed in a notice. */
const MAX_LINES = 20

const needsOwner = () => new HttpProblem(403, 'http.needsOwner')
const textsOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).filter(one => typeof one === 'string')

function peopleOf({ people = [] }: ActEffects, act: Fields): number[] {
  const ids = people.flatMap(one => {
    if (typeof one === 'string') return act[one]
    return act[one.where] === one.is ? act[one.field] : undefined
  })
  return ids.filter(id => typeof id === 'number')
}

/**
 * Authorizes an action by its declared effects (desk.md section 5a): users cannot grant permissions they lack.
 * Call this in the action's transaction, before its handler. See docs/decisions/0132.
 * @returns function to call after the handler, which authorizes the actual changes and notifies the people whom the
 * rules name; it returns whether somebody sees participants' names whom they were not shown before
 * @throws ActRejected, HttpProblem 403
 */
export async function authorizeAct(office: OfficeContext, act: SentAct): Promise<() => Promise<boolean>> {
  const effects = effectsOf(act.kind)
  if (effects === null) return async () => false
  const { tx, actor } = office
  const fields: Fields = act
  const {
    addresses = [],
    changes = [],
    grants,
    scopes,
    destination,
    isNoticed = false,
    acceptsDeleted = false,
  } = effects
  const isOwner = actor.kind === 'command' || actor.rights.includes('owner')
  const changesAccess = isOneOf(changes, 'login') || isOneOf(changes, 'rights')
  if (changesAccess) await lockRights(tx)
  const ids = peopleOf(effects, fields)
  const subjects = ids.length > 0 ? await repository.listAffectedAccounts(tx, ids) : []
  const changesLoginOfStaff =
    isOneOf(changes, 'login') && subjects.some(one => isGuarded(act.kind, one, movedAddresses(fields, addresses, one)))
  if (actor.kind === 'program') authorizeProgram(effects, subjects, changesLoginOfStaff)
  if (subjects.some(({ state }) => state === 'claimed')) office.fail('unknown.web_users')
  if (!acceptsDeleted && subjects.some(({ state }) => state === 'deleted')) office.fail('failed.deleted')
  if (changesLoginOfStaff && !isOwner) throw needsOwner()
  if (grants && !isOwner && textsOf(fields[grants]).length > 0) throw needsOwner()
  const emails = addresses.flatMap(field => textsOf(fields[field])).filter(email => email !== '')

  const events: SensitiveEvent[] = []
  if (grants && textsOf(fields[grants]).includes('owner')) events.push({ key: 'owner', name: emails.join(', ') })
  if (scopes) events.push({ key: 'token', name: String(fields.name ?? '') })
  if (destination && !(await repository.isWebhookUrlKnown(tx, String(fields[destination]))))
    events.push({ key: 'webhook', name: String(fields[destination]) })
  if (isOneOf(changes, 'login')) events.push(...loginEventsOf(act.kind, fields, addresses, subjects))
  if (events.length > 0 && !act.preview && actor.kind === 'user' && !actor.hasFreshPasskey) throw passkeyRequired()

  if (emails.length > 0) await deleteUnverifiedAccounts(tx, emails)
  const owners = changesAccess || events.length > 0 ? await listRightHolderIds(tx, 'owner') : []
  const ownersBefore = changesAccess ? await listRemainingOwners(tx) : null
  const held = changesAccess ? await repository.listHeldRights(tx) : []
  const teaching = isOneOf(changes, 'names') ? await repository.listTeachingAssignments(tx) : []
  return async () => {
    if (ownersBefore !== null && !isOwnerLeft(ownersBefore, await listRemainingOwners(tx)))
      office.fail('failed.lastOwner')
    if (changesAccess) await authorizeRights(office, held, { isOwner, owners })
    for (const event of events) await notifyOwners(office, owners, event)
    return isOneOf(changes, 'names') && (await authorizeTeaching(office, teaching, { isOwner, isNoticed }))
  }
}

type Owners = Awaited<ReturnType<typeof listRemainingOwners>>
const isOwnerLeft = (before: Owners, after: Owners) =>
  before.ids.length === 0 || (after.ids.length > 0 && (after.areProved || !before.areProved))

/**
 * Authorizes an action performed with a service token.
 * @throws HttpProblem 403 if the action affects permissions, tokens, people who have permissions, or the login of
 * instructors
 */
function authorizeProgram(effects: ActEffects, subjects: AffectedAccount[], changesLoginOfStaff: boolean): void {
  if (isDeniedToApiClients(effects) || changesLoginOfStaff || subjects.some(({ rights }) => rights.length > 0))
    throw tokenNotAllowed()
}

/** E-mail addresses that the action would give to the account instead of its own. */
const movedAddresses = (fields: Fields, addresses: readonly string[], { email }: AffectedAccount): string[] =>
  addresses
    .flatMap(field => textsOf(fields[field]))
    .filter(address => address !== email && (address !== '' || email.includes('@')))

/**
 * Whether only an owner may perform the action on this account: on people with rights any action that concerns the login,
 * on instructors those that could open the account to somebody else. Instructors see participants' names.
 */
const isGuarded = (kind: string, { rights, isInstructor }: AffectedAccount, moved: string[]): boolean =>
  rights.length > 0 || (isInstructor && (kind === 'change-person' ? moved.length > 0 : kind !== 'lock-person'))

/**
 * Security-relevant change made by an action. All owners are notified, and the actor must have confirmed a passkey
 * recently.
 */
type SensitiveEvent = { key: 'owner' | 'token' | 'webhook' | 'address' | 'unlock'; name: string }

function loginEventsOf(
  kind: string,
  fields: Fields,
  addresses: readonly string[],
  subjects: AffectedAccount[],
): SensitiveEvent[] {
  const events: SensitiveEvent[] = []
  for (const subject of subjects) {
    const { name, email, state, rights, isInstructor } = subject
    const isMoved = movedAddresses(fields, addresses, subject).length > 0
    if ((rights.length > 0 || isInstructor) && isMoved) events.push({ key: 'address', name: name || email })
    const isReopened = state === 'locked' && rights.includes('owner') && kind !== 'lock-person'
    if (isReopened) events.push({ key: 'unlock', name: name || email })
  }
  return events
}

/** Text of the notice with the key `office.notice.effects.KEY`. */
async function wordsOf(office: OfficeContext, key: string, values: (language: Language) => Record<string, string>) {
  const { actor, tx } = office
  const user = actor.kind === 'user' ? await repository.findPersonName(tx, actor.id) : ''
  const nameIn = (language: Language) => {
    if (actor.kind === 'command') return translate(language, 'office.notice.commandLine')
    return actor.kind === 'program' ? actor.name : user
  }
  const wordsIn = (language: Language) => {
    const given = { actor: nameIn(language), ...values(language) }
    const say = (part: string) => translate(language, `office.notice.effects.${key}.${part}`, given)
    return { title: say('title'), paragraphs: say('text').split('\n\n') }
  }
  return { de: wordsIn('de'), en: wordsIn('en') }
}

async function notifyOwners(office: OfficeContext, owners: number[], { key, name }: SensitiveEvent): Promise<void> {
  await notifyPeople(office.tx, owners, { words: await wordsOf(office, key, () => ({ name })), path: '/office' })
}

const keyOfRight = ({ webUserId, right }: HeldRight) => `${webUserId} ${right}`

/**
 * Verifies that only owners grant permissions, and notifies the other owners of each granted or revoked permission.
 * Granting the `owner` permission is a separate event.
 */
async function authorizeRights(
  office: OfficeContext,
  before: HeldRight[],
  { isOwner, owners }: { isOwner: boolean; owners: number[] },
): Promise<void> {
  const after = await repository.listHeldRights(office.tx)
  const isIn = (list: HeldRight[]) => (one: HeldRight) => list.some(other => keyOfRight(other) === keyOfRight(one))
  const given = after.filter(one => !isIn(before)(one))
  const ended = before.filter(one => !isIn(after)(one))
  if (given.length > 0 && !isOwner) throw needsOwner()
  const changes = [
    ...given.filter(({ right }) => right !== 'owner').map(one => ({ ...one, key: 'given' })),
    ...ended.map(one => ({ ...one, key: 'ended' })),
  ]
  for (const { key, webUserId, name, right } of changes) {
    const others = owners.filter(id => id !== accountIdOf(office.actor) && id !== webUserId)
    const words = await wordsOf(office, key, language => ({
      name,
      right: translate(language, `office.right.${right}`),
    }))
    await notifyPeople(office.tx, others, { words, path: '/office/rights' })
  }
}

const keyOfTeaching = ({ courseId, webUserId, email }: TeachingAssignment) => `${courseId} ${webUserId} ${email}`

/**
 * Verifies assignments of instructors, who see their participants' names. Only owners may assign themselves. Service
 * tokens may not assign people who have permissions, because such people might know the token. Nobody is notified of
 * assignments to courses of a draft season until it is published.
 * @returns whether anybody was assigned
 */
async function authorizeTeaching(
  office: OfficeContext,
  before: TeachingAssignment[],
  { isOwner, isNoticed }: { isOwner: boolean; isNoticed: boolean },
): Promise<boolean> {
  const { tx, actor } = office
  const known = new Map(before.map(one => [keyOfTeaching(one), one]))
  const after = await repository.listTeachingAssignments(tx)
  const added = after.filter(one => !known.has(keyOfTeaching(one)))
  if (!isOwner && added.some(({ webUserId }) => webUserId !== null && webUserId === accountIdOf(actor)))
    throw needsOwner()
  if (actor.kind === 'program' && added.length > 0) {
    const subjects = await repository.listAffectedAccounts(
      tx,
      added.flatMap(({ webUserId }) => webUserId ?? []),
    )
    if (subjects.some(({ rights }) => rights.length > 0)) throw tokenNotAllowed()
  }
  const published = after.filter(one => !one.isDraft && known.get(keyOfTeaching(one))?.isDraft)
  const teachers = new Set(before.filter(({ courseId, isDraft }) => courseId !== null && !isDraft).map(personKeyOf))
  const reported = [
    ...added.filter(({ isDraft }) => !isDraft),
    ...published.filter(one => !teachers.has(personKeyOf(one))),
  ]
  if (published.length > 0) await notifyOfPublication(office, published)
  if (reported.length > 0) await notifyOfTeaching(office, reported, after, isNoticed || published.length > 0)
  return added.length > 0
}

const personKeyOf = ({ webUserId, email }: TeachingAssignment) => webUserId ?? email

/** Joins up to `MAX_LINES` lines, followed by the number of the others. */
function joinLines(lines: readonly string[], language: Language): string {
  const more = lines.length - MAX_LINES
  const rest = more > 0 ? [translate(language, 'office.notice.effects.more', { count: more })] : []
  return [...lines.slice(0, MAX_LINES), ...rest].join('\n')
}

/** Notifies each instructor of the courses of a published season that they teach. */
async function notifyOfPublication(office: OfficeContext, published: TeachingAssignment[]): Promise<void> {
  const deliveries: NoticeDelivery[] = []
  for (const [person, own] of Map.groupBy(published, personKeyOf)) {
    if (person === accountIdOf(office.actor)) continue
    const words = await wordsOf(office, 'published', language => ({
      list: joinLines(
        own.map(({ course }) => course),
        language,
      ),
    }))
    const recipient = typeof person === 'number' ? { people: [person] } : { people: [], addresses: [person] }
    deliveries.push({ ...recipient, notice: { words, path: '/courses/instructor' } })
  }
  const unregistered = published.filter(({ webUserId }) => webUserId === null)
  await office.sendDeliveries(deliveries, [...new Set(unregistered.map(({ name }) => name))])
}

/**
 * Notifies everyone else with the `programme` permission of each new instructor, even if the action sends no other
 * notices. The instructors of each course are notified of those of the same course, unless the action has already done
 * so. Owners are notified if the actor lacks the `programme` permission or is a service token.
 */
async function notifyOfTeaching(
  office: OfficeContext,
  added: TeachingAssignment[],
  all: TeachingAssignment[],
  isNoticed: boolean,
): Promise<void> {
  const { tx, actor } = office
  const isOutside = actor.kind === 'program' || !actor.rights.includes('programme')
  const holders = new Set([
    ...(await listRightHolderIds(tx, 'programme')),
    ...(isOutside ? await listRightHolderIds(tx, 'owner') : []),
  ])
  const isOther = (id: number) => id !== accountIdOf(actor)
  const noticeOf = async (assignments: readonly TeachingAssignment[], path: string) => {
    const lines = assignments.map(({ name, email, course }) => `${name} <${email}>${course && `: ${course}`}`)
    return { words: await wordsOf(office, 'teaching', language => ({ list: joinLines(lines, language) })), path }
  }
  await notifyPeople(tx, [...holders].filter(isOther), await noticeOf(added, '/office'))
  const isAdded = (id: number) => added.some(({ courseId, webUserId }) => courseId !== null && webUserId === id)
  // New instructors who have been notified of their course need no second message.
  const knows = (id: number) => office.isTold(id) && (isNoticed || isAdded(id))
  const taughtBy = Map.groupBy(
    all.filter(({ courseId }) => courseId !== null),
    ({ webUserId }) => webUserId,
  )
  const deliveries: NoticeDelivery[] = []
  for (const [id, taught] of taughtBy) {
    if (id === null || !isOther(id) || holders.has(id) || knows(id)) continue
    const own = new Set(taught.map(({ courseId }) => courseId))
    const colleagues = added.filter(({ courseId }) => courseId !== null && own.has(courseId))
    if (colleagues.length > 0)
      deliveries.push({ people: [id], notice: await noticeOf(colleagues, '/courses/instructor') })
  }
  await sendNotices(tx, deliveries)
}
