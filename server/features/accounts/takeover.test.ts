import fc from 'fast-check'
import { expect, test } from 'vitest'
import { editWebUser, type ProfileRequest, resendEmail } from '#contract/endpoints/accounts.ts'
import { resetPassword } from '#contract/endpoints/session.ts'
import { completeInput } from '#contract/test/profiles.ts'
import { importProgramme } from '#server/features/programme/import-programme.ts'
import { ACCOUNT_EVENTS, type EmailAccountState, nextAccountState } from '#server/features/session/rules.ts'
import { sql } from '#server/platform/db/client.ts'
import { createAccountCalls } from '#server/test/account-calls.ts'
import { insertCourse } from '#server/test/factories.ts'
import { openTestFolder } from '#server/test/import-folder.ts'
import { openTestDesk } from '#server/test/office.ts'
import { type SentMail, sendMails } from '#server/test/sent-mails.ts'
import { openTestServer } from '#server/test/server.ts'

const server = await openTestServer()
const calls = createAccountCalls(server)
const folder = await openTestFolder()
const clerk = await openTestDesk(server, ['bookings'])
const head = await openTestDesk(server, ['owner', 'bookings'])

const OWN = ['Kaffee-Tasse-77', 'Blauer.Elefant9', 'Nebel.Laterne4']
const FOREIGN = ['Fremdes.Fahrrad8', 'Krumme-Gurke-31']
let worlds = 0

type Actor = { mailboxes: string[]; tokens: string[]; passwords: string[] }

/** One owner, one attacker and the department, who all use one e-mail address. */
type World = {
  address: string
  owner: Actor
  thief: Actor
  /** tokens of the owner's own actions; all others are the attacker's */
  ownTokens: Set<string>
  /** ids of the notices about the owner's own actions */
  ownNotices: Set<number>
  ownersAccounts: Set<number>
  /** whether the attacker has a session of the owner */
  isStolen: boolean
}

function createWorld(): World {
  worlds++
  const address = `rita${worlds}@demo.example`
  return {
    address,
    owner: { mailboxes: [address, `rita${worlds}.neu@demo.example`], tokens: [], passwords: [...OWN] },
    thief: { mailboxes: [`dieb${worlds}@demo.example`], tokens: [], passwords: [...FOREIGN] },
    ownTokens: new Set(),
    ownNotices: new Set(),
    ownersAccounts: new Set(),
    isStolen: false,
  }
}

const mailsTo = async ({ mailboxes }: Actor): Promise<SentMail[]> => {
  const mails = await sendMails(server.db)
  return mails.filter(({ recipient }) => mailboxes.includes(recipient))
}

const body = (email: string, password: string) =>
  ({
    ...completeInput(2, 3),
    email,
    givenName: 'Rita',
    familyName: 'Rot',
    password,
    confirmPassword: password,
  }) as ProfileRequest

const pick = <T>(list: T[]): T | undefined => list.at(-1)

const logIn = async (actor: Actor, userName: string, password: string) => {
  const session = await calls.logIn(userName, password)
  if (session.status === 'Ok') actor.tokens.push(session.id)
  return session
}

/** Logs in with an e-mailed password and replaces it. */
const getInByMail = async (actor: Actor, userName: string) => {
  await server.request(resetPassword, { body: { userName } })
  const mail = (await mailsTo(actor)).findLast(({ payload }) => payload.password)
  const session = mail && (await logIn(actor, mail.recipient, mail.payload.password))
  if (session?.status === 'Ok') await calls.choosePassword(session.id, pick(actor.passwords) ?? '')
  return session?.status === 'Ok'
}

const registerAs = async ({ owner, ownTokens }: World, actor: Actor, email: string, password: string) => {
  await calls.register(body(email, password))
  await sendMails(server.db)
  if (actor === owner) {
    const row = await server.db.maybeOne<{ at: string }>(sql`
      select created_at::timestamp(0)::text as at from web_users where email = ${email} and state = 'claimed'`)
    const token = (await mailsTo(owner)).findLast(({ kind }) => kind === 'activation')?.payload.token
    if (row && token) ownTokens.add(token)
  }
}

/** Confirms the links of the owner's own actions and answers all others with "not me". */
const answerMails = async ({ owner, ownTokens, ownNotices, isStolen }: World) => {
  for (const { id, kind, payload } of await mailsTo(owner)) {
    if (!payload.token) continue
    const link = await calls.describe(payload.token)
    if (link.status !== 'Ok') continue
    const isOwn = ownTokens.has(payload.token) || ownNotices.has(id) || (kind === 'password-changed' && !isStolen)
    if (!isOwn) await calls.undo(payload.token)
    else if (link.purpose !== 'undo') await calls.confirm(payload.token)
  }
}

const changeEmail = async ({ owner, ownTokens, ownNotices }: World, actor: Actor, email: string) => {
  const token = pick(actor.tokens)
  if (!token) return
  const before = await sendMails(server.db)
  await server.request(editWebUser, { body: { ...body(email, ''), confirmPassword: '' }, token })
  if (actor !== owner) return
  for (const mail of (await sendMails(server.db)).slice(before.length)) {
    ownNotices.add(mail.id)
    if (mail.kind === 'new-email') ownTokens.add(mail.payload.token)
  }
}

const accountsAt = (emails: string[]) =>
  server.db.query<{ id: number }>(sql`select id from web_users where email = any(${emails}) order by id`)
const accountsWithRights = ({ owner }: World) =>
  server.db.query<{ id: number }>(sql`
    select u.id from web_users u where u.email = any(${owner.mailboxes}) and (
      exists (select from office_rights r where r.web_user_id = u.id)
      or exists (select from invited_rights i where i.web_user_id = u.id))`)
/** Whether the attacker or an unverified account has a right. */
const hasThiefRights = async ({ thief }: World) =>
  (
    await server.db.query(sql`
      select from office_rights r join web_users u on u.id = r.web_user_id
      where u.email = any(${thief.mailboxes}) or u.state = 'claimed'`)
  ).length > 0

const ownerActions = (world: World) => {
  const { owner, address } = world
  return {
    async ownerRegisters() {
      await registerAs(world, owner, address, OWN[0] ?? '')
    },
    async ownerAnswersMails() {
      await answerMails(world)
    },
    async ownerLogsIn() {
      for (const password of OWN) await logIn(owner, address, password)
    },
    async ownerResets() {
      await getInByMail(owner, address)
    },
    async ownerMoves() {
      await changeEmail(world, owner, owner.mailboxes[1] ?? '')
      const mail = (await mailsTo(owner)).findLast(({ kind }) => kind === 'new-email')
      if (mail && world.ownTokens.has(mail.payload.token)) await calls.confirm(mail.payload.token)
      for (const notice of await mailsTo(owner))
        if (notice.kind === 'email-changed' && !world.isStolen) world.ownNotices.add(notice.id)
    },
  }
}

const thiefActions = (world: World) => {
  const { owner, thief, address } = world
  return {
    async thiefRegistersHers() {
      await registerAs(world, thief, address, FOREIGN[0] ?? '')
    },
    async thiefRegistersOwn() {
      await registerAs(world, thief, thief.mailboxes[0] ?? '', FOREIGN[0] ?? '')
    },
    async thiefUsesLinks() {
      for (const { payload } of await mailsTo(thief)) if (payload.token) await calls.confirm(payload.token)
    },
    async thiefUndoes() {
      for (const { payload } of await mailsTo(thief)) if (payload.token) await calls.undo(payload.token)
    },
    async thiefLogsIn() {
      for (const email of [...owner.mailboxes, ...thief.mailboxes])
        for (const password of FOREIGN) await logIn(thief, email, password)
    },
    async thiefResets() {
      await server.request(resetPassword, { body: { userName: address } })
      await getInByMail(thief, thief.mailboxes[0] ?? '')
    },
    async thiefAsksForMails() {
      await server.request(resendEmail, { params: { userName: address } })
    },
    async thiefWantsHerAddress() {
      await changeEmail(world, thief, address)
    },
    async thiefWantsOwnAddress() {
      await changeEmail(world, thief, thief.mailboxes[0] ?? '')
    },
    async thiefChangesPassword() {
      const token = pick(thief.tokens)
      if (token) await calls.choosePassword(token, FOREIGN[1] ?? '')
    },
    async thiefFindsHerPhone() {
      const token = pick(owner.tokens)
      if (!token || (await calls.check(token)).status !== 'Ok') return
      world.isStolen = true
      thief.tokens.push(token)
    },
    /** The attacker uses the office with the `bookings` right, which cannot change accounts with rights. */
    async thiefActsAtTheDesk() {
      const [mailbox = ''] = thief.mailboxes
      const [own] = await accountsAt([mailbox])
      for (const { id: webUserId } of await accountsWithRights(world)) {
        await clerk.send({ kind: 'change-person', webUserId, email: `x${mailbox}` })
        await clerk.send({ kind: 'lock-person', webUserId })
        if (own) await clerk.send({ kind: 'merge-people', webUserId, intoWebUserId: own.id })
      }
      await clerk.send({ kind: 'grant-right', email: mailbox, right: 'owner' })
    },
  }
}

const departmentActions = ({ owner, address, ownersAccounts }: World) => ({
  async departmentGrantsHer() {
    await head.send({ kind: 'grant-right', email: address, right: 'programme' })
  },
  async departmentInvitesHer() {
    const { body } = await head.send({ kind: 'invite-person', email: address, rights: ['programme'] })
    if (body.status === 'Ok') ownersAccounts.add(Number(body.result.webUserId))
  },
  async departmentBooksHer() {
    const { id: courseId } = await insertCourse(server.db)
    for (const { id: webUserId } of await accountsAt([address])) await head.send({ kind: 'book', courseId, webUserId })
  },
  async departmentMovesHer() {
    for (const { id: webUserId } of await accountsAt([address]))
      if (ownersAccounts.has(webUserId))
        await head.send({ kind: 'change-person', webUserId, email: owner.mailboxes[1] ?? '' })
  },
  async departmentMergesHer() {
    const [first, second] = await accountsAt(owner.mailboxes)
    if (first && second && ownersAccounts.has(first.id) && ownersAccounts.has(second.id))
      await head.send({ kind: 'merge-people', webUserId: first.id, intoWebUserId: second.id })
  },
  async departmentNamesHer() {
    await folder.write({ 'users.csv': `email,givenName,familyName,personnelNumber\n${address},Rita,Rot,4711\n` })
    expect(await importProgramme(server.db, { folder: folder.path, region: 'DE-NI' })).toMatchObject({ isDone: true })
    // There is none while an undo link can restore the address to her account.
    for (const { id } of await accountsAt([address])) ownersAccounts.add(id)
  },
})

/** The actions of owner, attacker and department, each performed over HTTP. */
const actionsIn = (world: World) => ({ ...ownerActions(world), ...thiefActions(world), ...departmentActions(world) })

const noteOwned = async ({ owner, ownersAccounts }: World) => {
  for (const token of owner.tokens) {
    const { status, webUserId } = await calls.check(token)
    if (status === 'Ok') ownersAccounts.add(webUserId)
  }
}
const findInside = async ({ thief, ownersAccounts }: World) => {
  const inside: number[] = []
  for (const token of new Set(thief.tokens)) {
    const { status, webUserId } = await calls.check(token)
    if (status === 'Ok' && ownersAccounts.has(webUserId)) inside.push(webUserId)
  }
  return inside
}
const states = async () =>
  new Map(
    (await server.db.query<{ id: number; state: EmailAccountState }>(sql`select id, state from web_users`)).map(
      ({ id, state }) => [id, state],
    ),
  )
/** The owner recovers the account with the links in her e-mails. @returns whether she can log in */
const ownerComesBack = async (world: World) => {
  const { owner, address } = world
  await answerMails(world)
  if (await getInByMail(owner, address)) return true
  if (await getInByMail(owner, owner.mailboxes[1] ?? '')) return true
  await registerAs(world, owner, address, OWN[0] ?? '')
  await answerMails(world)
  return (await logIn(owner, address, OWN[0] ?? '')).status === 'Ok'
}

const forgetLimits = () => server.db.execute(sql`delete from throttle_events`)
const isStep = (before: EmailAccountState, after: EmailAccountState) =>
  before === after || ACCOUNT_EVENTS.some(event => nextAccountState(before, event) === after)

const NAMES = Object.keys(actionsIn(createWorld())) as (keyof ReturnType<typeof actionsIn>)[]

const BY_HER_PHONE: typeof NAMES = [
  'ownerRegisters',
  'ownerAnswersMails',
  'ownerLogsIn',
  'thiefFindsHerPhone',
  'thiefWantsOwnAddress',
  'thiefUsesLinks',
  'thiefChangesPassword',
]
/** Schedules of earlier or possible vulnerabilities; the others are random. */
const KNOWN_ATTACKS: (typeof NAMES)[] = [
  ['thiefRegistersHers', 'departmentNamesHer', 'thiefLogsIn'],
  ['thiefRegistersHers', 'ownerRegisters', 'thiefRegistersHers', 'ownerAnswersMails', 'thiefLogsIn', 'ownerRegisters'],
  [
    'ownerRegisters',
    'thiefRegistersHers',
    'thiefAsksForMails',
    'departmentNamesHer',
    'ownerAnswersMails',
    'thiefLogsIn',
  ],
  [
    'thiefRegistersOwn',
    'thiefUsesLinks',
    'thiefLogsIn',
    'thiefWantsHerAddress',
    'ownerAnswersMails',
    'departmentNamesHer',
  ],
  ['thiefRegistersHers', 'departmentGrantsHer', 'ownerAnswersMails', 'thiefLogsIn'],
  ['thiefRegistersHers', 'departmentBooksHer', 'thiefRegistersHers', 'departmentNamesHer', 'thiefLogsIn'],
  [
    'thiefRegistersHers',
    'departmentInvitesHer',
    'thiefActsAtTheDesk',
    'ownerResets',
    'thiefActsAtTheDesk',
    'thiefLogsIn',
  ],
  ['ownerRegisters', 'ownerAnswersMails', 'ownerLogsIn', 'departmentMovesHer', 'departmentGrantsHer', 'ownerResets'],
  BY_HER_PHONE,
  [...BY_HER_PHONE, 'thiefRegistersHers', 'thiefUndoes', 'departmentNamesHer'],
]

test('no interleaving of actions by owner, attacker and department gives the attacker access or locks out the owner', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...NAMES), { minLength: 3, maxLength: 12 }), async schedule => {
      const world = createWorld()
      const actions = actionsIn(world)
      for (const name of schedule) {
        const before = await states()
        await forgetLimits()
        await actions[name]()
        await noteOwned(world)
        // Only a stolen session gives the attacker access, until the owner reports it.
        if (!world.isStolen) expect([name, await findInside(world)]).toEqual([name, []])
        if (!world.isStolen) expect([name, await hasThiefRights(world)]).toEqual([name, false])
        const after = await states()
        for (const [id, state] of after)
          expect([name, before.get(id) ?? 'none', state, isStep(before.get(id) ?? 'none', state)]).toEqual([
            name,
            before.get(id) ?? 'none',
            state,
            true,
          ])
      }
      await forgetLimits()
      expect(await ownerComesBack(world)).toBe(true)
      await noteOwned(world)
      for (const name of NAMES.filter(name => name.startsWith('thief') && name !== 'thiefFindsHerPhone')) {
        await forgetLimits()
        await actions[name]()
        expect([name, await findInside(world)]).toEqual([name, []])
      }
      await forgetLimits()
      expect(await ownerComesBack(world)).toBe(true)
      expect(await findInside(world)).toEqual([])
    }),
    {
      numRuns: Number(process.env.TAKEOVER_RUNS ?? 12),
      examples: KNOWN_ATTACKS.map(schedule => [schedule]),
      // Shortening a schedule takes longer than reading it, and ran into the time limit before it was reported.
      endOnFailure: true,
    },
  )
}, 240_000)
