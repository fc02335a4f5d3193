import { randomUUID } from 'node:crypto'
import * as v from 'valibot'
import { ACTS, type Act, type ActKind, actBody, rightsForAct } from '#contract/acts/acts.ts'
import type { ActResponse } from '#contract/office/office.ts'
import { entriesOf, keysOf } from '#contract/records.ts'
import { RIGHTS, type Right } from '#contract/values.ts'
import { listRightHolderIds } from '#server/features/session/account-repository.ts'
import { accountStatesPermitting } from '#server/features/session/rules.ts'
import { performActInTransaction } from '#server/office/acts/service.ts'
import { type Actor, ActRejected } from '#server/office/frame/office-context-service.ts'
import { type Database, type Queryable, sql } from '#server/platform/db/client.ts'
import { HttpProblem } from '#server/platform/http/problems.ts'
import { PASSWORD_MAIL_KINDS, SECURITY_NOTICE_MAIL_KINDS } from '#server/platform/outbox/mail-kinds.ts'
import { prepareAct } from './act-samples.ts'
import { insertBooking, insertCourse, insertInstructor, insertUserWithSession, insertWebUser } from './factories.ts'
import { openTestDesk } from './office.ts'
import type { TestServer } from './server.ts'

/** Marks a password that the attacker knows; stored in place of a password hash. */
const KNOWN = 'known to the attacker'
const MAILBOXES = ['attacker@evil.example', 'second@evil.example', 'fresh@evil.example']
const OWNER = 'owner@chains.example'
const CLAIMED = 'colleague@chains.example'
/** Account of the demo programme. */
export const DEMO = 'desk@demo.example'
const TEACHER = 'teacher@chains.example'

type People = Record<
  'actor' | 'second' | 'owner' | 'holder' | 'victim' | 'teacher' | 'claim' | 'closed' | 'locked',
  number
>

/**
 * Creates a portal with an attacker who controls two accounts and three mailboxes, and with other people whom the
 * attacker may try to harm with desk actions only.
 */
export async function openChainWorld(
  server: TestServer,
  /** disables the demo account, which otherwise has all permissions and a published password */
  close: (db: Database) => Promise<unknown>,
) {
  const { db } = server
  const insert = async (email: string, values = {}) => (await insertUserWithSession(db, { email, ...values })).id
  const people: People = {
    actor: await insert(MAILBOXES[0] ?? '', { passwordHash: KNOWN }),
    second: await insert(MAILBOXES[1] ?? '', { passwordHash: KNOWN }),
    owner: await insert(OWNER, { passwordHash: 'x' }),
    holder: await insert('holder@chains.example', { passwordHash: 'x' }),
    victim: await insert('victim@chains.example', { passwordHash: 'x' }),
    teacher: await insert(TEACHER, { passwordHash: 'x' }),
    claim: (await insertWebUser(db, { email: CLAIMED, passwordHash: KNOWN, confirmedAt: null })).id,
    closed: await insert(DEMO, { passwordHash: KNOWN }),
    locked: await insert('locked@chains.example', { passwordHash: 'x', lockedAt: new Date() }),
  }
  const grant = (id: number, rights: readonly Right[]) =>
    db.execute(sql`insert into office_rights (web_user_id, "right") select ${id}, unnest(${[...rights]}::text[])`)
  await insertInstructor(db, { email: TEACHER })
  await insertInstructor(db, { email: MAILBOXES[1] })
  const [course, other] = [await insertCourse(db, { instructorEmails: [TEACHER] }), await insertCourse(db)]
  for (const { id } of [course, other]) await insertBooking(db, id, people.victim)
  const lesson = await db.one<{ id: number }>(sql`select id from course_dates where course_id = ${course.id} limit 1`)

  const office = await openTestDesk(server, RIGHTS)
  const samples = new Map<ActKind, object>()
  for (const kind of keysOf(ACTS)) {
    samples.set(kind, (await prepareAct(server, kind, office.act)).act)
  }
  await db.execute(sql`delete from office_rights`)
  await db.execute(sql`delete from web_users where id = ${office.id}`)
  await grant(people.owner, ['owner'])
  await grant(people.locked, ['owner'])
  await grant(people.holder, ['programme', 'bookings'])
  await grant(people.closed, RIGHTS)
  await close(db)

  /**
   * Values of fields through which an action can affect an account, by field name. Other fields are those of the
   * action's sample.
   */
  const pools: [RegExp, readonly unknown[]][] = [
    [/webUserId$/i, Object.values(people).filter(id => id !== people.holder && id !== people.teacher)],
    [/^email$/, [MAILBOXES[2], MAILBOXES[1], MAILBOXES[0], CLAIMED, OWNER, '']],
    [/^(instructorEmails|substituteEmails)$/, [[MAILBOXES[1]], [MAILBOXES[0]]]],
    [/^(instructorEmail|substituteEmail)$/, [MAILBOXES[1], MAILBOXES[0]]],
    [/^right$/, ['programme', 'owner']],
    [/^rights$/, [['programme'], ['owner']]],
    [/^(courseId|fromCourseId)$/, [course.id]],
    [/^toCourseId$/, [other.id]],
    [/^courseDateId$/, [lesson.id]],
    [/^quiet$/, [true]],
  ]
  const poolOf = (field: string) => pools.find(([name]) => name.test(field))?.[1] ?? null

  /**
   * Yields each action of the contract with all values of the fields that can affect an account. Optional fields are
   * set one at a time.
   */
  function* listCandidates(): Generator<Act> {
    for (const [kind, { fields }] of entriesOf(ACTS)) {
      const sample = samples.get(kind)
      if (!sample) continue
      let bodies: Record<string, unknown>[] = [{ reason: 'Test', ...sample }]
      const pooled = keysOf(fields as Record<string, unknown>).filter(field => poolOf(field))
      const isGiven = (field: string) => field in sample || field === 'quiet'
      for (const field of pooled.filter(isGiven))
        bodies = bodies.flatMap(body => (poolOf(field) ?? []).map(value => ({ ...body, [field]: value })))
      const more = pooled.filter(field => !isGiven(field))
      bodies.push(
        ...bodies.flatMap(body =>
          more.flatMap(field => (poolOf(field) ?? []).map(value => ({ ...body, [field]: value }))),
        ),
      )
      if (kind === 'send-message')
        bodies.push({ ...bodies[0], to: 'person', id: people.claim }, { ...bodies[0], to: 'person', id: people.victim })
      for (const body of bodies) {
        const parsed = v.safeParse(actBody, { actId: randomUUID(), ...body })
        if (parsed.success) yield parsed.output
      }
    }
  }
  const references = ['0', ...(await listReferences(db))].join(' + ')
  return { server, people, references, candidates: [...listCandidates()] }
}

export type World = Awaited<ReturnType<typeof openChainWorld>>
type AccountState = {
  id: number
  email: string
  state: string
  isKnown: boolean
  isReachable: boolean
  rights: Right[]
  courses: number[]
  references: number
}
type State = { accounts: AccountState[]; owners: number[]; notices: number }

/** Tables whose references to accounts are ignored: those written by a registration itself, and the audit log. */
const OWN_TABLES = ['mails', 'account_tokens', 'office_record_people', 'sessions', 'known_devices']

async function listReferences(tx: Queryable): Promise<string[]> {
  const rows = await tx.query<{ name: string; column: string }>(sql`
    select c.conrelid::regclass::text as name, a.attname as "column" from pg_constraint c
    join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    where c.confrelid = 'web_users'::regclass and c.contype = 'f' order by 1, 2`)
  return rows
    .filter(({ name }) => !OWN_TABLES.includes(name))
    .map(({ name, column }) => `(select count(*) from ${name} x where x.${column} = u.id)`)
}

export const LOG_IN = accountStatesPermitting('logIn')

const readState = async (tx: Queryable, { people, references }: World): Promise<State> => ({
  accounts: await tx.query<AccountState>(sql`
    select u.id, u.email, u.state, coalesce(u.password_hash = ${KNOWN}, false) as "isKnown",
      u.email = any(${MAILBOXES}) or exists (
        select from mails m where m.web_user_id = u.id and m.sent_at is null and m.recipient = any(${MAILBOXES})
          and m.kind = any(${[...PASSWORD_MAIL_KINDS, ...SECURITY_NOTICE_MAIL_KINDS]})) as "isReachable",
      array(
        select "right" from office_rights r where r.web_user_id = u.id
        union select "right" from invited_rights i where i.web_user_id = u.id order by 1) as rights,
      array(
        select course_id from course_instructors i where i.email = u.email
        union select course_id from course_dates d where d.instructor_email = u.email order by 1) as courses,
      case when u.state = 'claimed' then ${sql.raw(references)} else 0 end as references
    from web_users u where u.email like '%@chains.example' or u.email like '%@evil.example' or u.email like 'none %' or u.email = ${DEMO}
    order by u.id`),
  owners: await listRightHolderIds(tx, 'owner'),
  notices: (
    await tx.one<{ count: number }>(sql`select count(*) as count from inbox_items where web_user_id = ${people.holder}`)
  ).count,
})

const isControlled = ({ state, isKnown, isReachable }: AccountState) =>
  LOG_IN.some(one => one === state) && (isKnown || isReachable)

export type Finding = { chain: string[]; what: string }
export type SearchResult = { chains: number; acts: number; states: number; findings: Finding[] }

type Search = {
  world: World
  depth: number
  kinds?: readonly ActKind[]
  /** the permissions are those of a service token, and the attacker's accounts have none */
  isProgram?: boolean
}

/**
 * Describes what matters about an account for what an actor with these permissions could gain. Accounts with equal
 * descriptions are symmetric.
 */
function describeAccount(account: AccountState, { people }: World, rights: readonly Right[]): string {
  const { id, email, state, isKnown, courses, references } = account
  // `isControlled` covers the passwords of other accounts.
  const isForeignKnown = isKnown && (id === people.closed || id === people.claim)
  const common = [id === people.actor, state, isForeignKnown, account.rights.includes('owner'), references]
  // An owner may grant everything. All that remains to be lost is the last owner, and what registrations obtain.
  if (rights.includes('owner')) return [...common, email.includes('@')].join('|')
  const address = MAILBOXES.includes(email) ? 'own' : email.includes('@')
  const teaching = readsNames(rights) ? '' : courses.join()
  return [...common, isControlled(account), account.rights.join(), address, teaching].join('|')
}

type Counts = Omit<SearchResult, 'findings'>
type Node = { chain: Act[]; state: State }

/**
 * Performs chains of actions as the actor, breadth first, in transactions that are rolled back, and reports chains that
 * leave the actor with more than before. States that differ only in which of several equal accounts is affected, and
 * combinations of permissions whose actions change the same things, are explored only once. An action is skipped if it
 * changed nothing before while the accounts that it names were in the same state.
 */
export async function searchChains(
  { world, depth, kinds, isProgram = false }: Search,
  combinations: readonly (readonly Right[])[],
): Promise<SearchResult> {
  const counts: Counts = { chains: 0, acts: 0, states: 0 }
  const findings: Finding[] = []
  const idle = new Set<string>()
  const searched = new Set<string>()
  for (const rights of combinations) {
    const allowed = world.candidates.filter(
      act => rightsForAct(act)?.some(right => rights.includes(right)) && (kinds?.includes(act.kind) ?? true),
    )
    const search = { world, rights, isProgram, allowed, idle, counts, findings }
    const visited = new Set<string>()
    let nodes: Node[] = [{ chain: [], state: await readBegin(search) }]
    const begin = nodes[0]?.state
    for (let length = 1; length <= depth && nodes.length > 0 && begin; length++) {
      const next: Node[] = []
      for (const node of nodes) {
        const key = keyOf(describeState(node.state, world, rights))
        if (visited.has(key)) continue
        visited.add(key)
        counts.states++
        // Actions that were rolled back leave dead rows, which slow down all later statements.
        if (counts.states % 10 === 0) await world.server.db.session(session => session.execute(VACUUM))
        next.push(...(await expand(search, node, begin)))
      }
      if (length === 1) {
        const effective = new Set(next.flatMap(({ chain: [act] }) => rightsForAct(act) ?? []))
        const same = `${rights.includes('owner')} ${readsNames(rights)} ${[...effective].filter(right => rights.includes(right)).sort()}`
        if (searched.has(same)) break
        searched.add(same)
      }
      nodes = next
    }
  }
  return { ...counts, findings }
}

const readsNames = (rights: readonly Right[]) =>
  (['bookings', 'billing', 'owner'] as const).some(right => rights.includes(right))

const describeState = ({ accounts, notices }: State, world: World, rights: readonly Right[]): string[] => [
  ...accounts.map(account => describeAccount(account, world, rights)).sort(),
  String(!readsNames(rights) && notices > 0),
]
/** Several equal accounts count as one. */
const keyOf = (described: string[]) => [...new Set(described)].join('\n')

const VACUUM = sql`
  vacuum web_users, office_rights, mails, inbox_items, office_record, office_record_people, office_reads, sessions,
    account_tokens, courses, course_dates, course_instructors, instructors, programme`

type Run = {
  world: World
  rights: readonly Right[]
  isProgram: boolean
  allowed: readonly Act[]
  idle: Set<string>
  counts: Counts
  findings: Finding[]
}

/** Runs work in a transaction in which the actor has the given permissions, and rolls it back. */
export async function inWorld<Result>(
  { world, rights, isProgram }: Pick<Run, 'world' | 'rights' | 'isProgram'>,
  work: (tx: Queryable) => Promise<Result>,
): Promise<Result> {
  const results: Result[] = []
  await world.server.db
    .transaction(async tx => {
      await tx.execute(sql`
        insert into office_rights (web_user_id, "right") select ${world.people.actor}, unnest(${isProgram ? [] : [...rights]}::text[])`)
      results.push(await work(tx))
      throw new RolledBack()
    })
    .catch(error => {
      if (!(error instanceof RolledBack)) throw error
    })
  const [result] = results
  if (result === undefined) throw new Error('the work of a transaction has no result')
  return result
}

const readBegin = (run: Run): Promise<State> => inWorld(run, tx => readState(tx, run.world))

/** Performs every action after a chain. @returns the resulting states */
const expand = (run: Run, { chain, state }: Node, begin: State): Promise<Node[]> =>
  inWorld(run, async tx => {
    const { world, rights, allowed, idle, counts } = run
    for (const act of chain) await perform(tx, act, run)
    const found: Node[] = []
    const describe = (one: State) => describeState(one, world, rights).join('\n')
    const described = describe(state)
    // Rolling back to a savepoint does not release it, so that one serves all actions.
    await tx.execute(sql`savepoint act`)
    for (const act of allowed) {
      counts.chains++
      const local = localKeyOf(act, state, run)
      if (idle.has(local)) continue
      counts.acts++
      const isDone = (await perform(tx, act, run)) !== null
      const after = isDone ? await readState(tx, world) : state
      await tx.execute(sql`rollback to savepoint act`)
      if (describe(after) === described) idle.add(local)
      else if (!judge(run, [...chain, act], after, begin)) found.push({ chain: [...chain, act], state: after })
    }
    return found
  })

/** Key that consists of an action and the state of the accounts that it names by id or e-mail address. */
function localKeyOf(act: Act, { accounts, owners }: State, { world, rights }: Run): string {
  const values: unknown[] = Object.values(act).flat()
  const named = accounts.filter(({ id, email }) => values.includes(id) || values.includes(email))
  const described = named.map(one => describeAccount(one, world, rights))
  return JSON.stringify([rights.includes('owner'), readsNames(rights), owners.length, act.actId, described])
}

/** @returns whether the chain gave the actor more than before */
function judge({ world, rights, isProgram, findings }: Run, chain: Act[], state: State, begin: State): boolean {
  const { people } = world
  const before = findings.length
  const find = (what: string) => findings.push({ chain: [rights.join(' '), ...chain.map(describeAct)], what })
  const own = state.accounts.filter(isControlled)
  const gained = own.flatMap(one => one.rights).filter(right => isProgram || !rights.includes(right))
  if (!rights.includes('owner') && gained.length > 0) find(`rights: ${[...new Set(gained)].join()}`)
  if (!readsNames(rights)) {
    const taught = new Set(begin.accounts.filter(isControlled).flatMap(({ courses }) => courses))
    const isNew = ({ courses }: AccountState) => courses.some(id => !taught.has(id))
    if (own.some(one => one.id === people.actor && isNew(one))) find('names, by the own account')
    else if (own.some(isNew) && state.notices === 0) find('names, without a notice')
  }
  if (state.accounts.some(one => one.references > 0)) find('something refers to an unconfirmed registration')
  if (state.owners.length === 0) find('nobody can grant rights')
  if (own.some(({ id, isKnown }) => isKnown && (id === people.closed || id === people.claim)))
    find('the password of a closed account or an unconfirmed registration works')
  if (isProgram) {
    const withRights = ({ accounts }: State) => JSON.stringify(accounts.filter(one => one.rights.length > 0))
    if (withRights(state) !== withRights(begin)) find('a program changed an account with rights')
  }
  return findings.length > before
}

class RolledBack extends Error {}

export const describeAct = ({ actId: _, preview: _preview, reason: _reason, ...act }: Act) => JSON.stringify(act)

/** @returns the response; null if the action was rejected */
export async function perform(
  tx: Queryable,
  act: Act,
  { world, rights, isProgram }: Pick<Run, 'world' | 'rights' | 'isProgram'>,
): Promise<ActResponse | null> {
  const { server, people } = world
  try {
    const actor: Actor = isProgram
      ? { kind: 'program', tokenId: 1, name: 'Programm', rights }
      : { kind: 'user', id: people.actor, rights, hasFreshPasskey: true }
    return await performActInTransaction(tx, act, { actor, language: 'de', config: server.context.config })
  } catch (error) {
    if (error instanceof ActRejected || error instanceof HttpProblem) return null
    throw error
  }
}

/** Every single permission and every pair of permissions. */
export const COMBINATIONS: readonly (readonly Right[])[] = RIGHTS.flatMap((first, index) => [
  [first],
  ...RIGHTS.slice(index + 1).map(second => [first, second]),
])

/**
 * Runs work as if the contract declared no effects for these actions, so that they are not authorized by their effects.
 */
export async function withoutEffects<Result>(kinds: readonly ActKind[], work: () => Promise<Result>): Promise<Result> {
  const declared = kinds.map(kind => [ACTS[kind], ACTS[kind].effects] as const)
  for (const [act] of declared) act.effects = {}
  try {
    return await work()
  } finally {
    for (const [act, effects] of declared) act.effects = effects
  }
}
