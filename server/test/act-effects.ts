import { ACTS, type Act } from '#contract/acts/acts.ts'
import { RIGHTS, type Right } from '#contract/values.ts'
import { accountRights } from '#server/features/session/account-repository.ts'
import { type Queryable, sql } from '#server/platform/db/client.ts'
import type { SqlFragment } from '#server/platform/db/sql.ts'
import { describeAct, inWorld, LOG_IN, perform, type World } from './act-chains.ts'

type Change = 'login' | 'rights' | 'names'
type Access = Record<Change, string[]> & { told: { id: number; notices: number }[]; addresses: string[] }

/**
 * Who can log in how, who has which right, who sees the names of which course, and who was told how often. Unconfirmed
 * registrations, which any action may replace, are not included.
 */
const readAccess = async (tx: Queryable): Promise<Access> => {
  const list = async (query: SqlFragment) => (await tx.query<{ key: string }>(query)).map(({ key }) => key)
  return {
    login: await list(sql`
      select concat_ws(' ', u.id, u.email, u.password_hash, u.state = any(${[...LOG_IN]}::text[]),
        (select string_agg(c.subject, ',' order by c.subject) from company_accounts c where c.web_user_id = u.id),
        (select count(*) from passkeys p where p.web_user_id = u.id)) as key
      from web_users u where u.state <> 'claimed' order by 1`),
    rights: await list(sql`select concat_ws(' ', web_user_id, "right") as key from ${accountRights} r order by 1`),
    names: await list(sql`
      select distinct concat_ws(' ', u.id, u.email, t.course_id) as key from (
        select course_id, email from course_instructors union select course_id, instructor_email from course_dates) t
        join web_users u on u.email = t.email and u.deleted_at is null order by 1`),
    told: await tx.query(sql`
      select u.id, (
        (select count(*) from inbox_items i where i.web_user_id = u.id) + (select count(*) from mails m where m.web_user_id = u.id))::int as notices
      from web_users u order by 1`),
    addresses: await list(sql`select recipient as key from mails`),
  }
}

/** Entries that one list has and the other lacks, in either direction. */
const difference = (before: string[], after: string[]) => [
  ...before.filter(one => !after.includes(one)),
  ...after.filter(one => !before.includes(one)),
]
const idOf = (entry: string) => Number(entry.split(' ')[0])
const addressIn = (entry: string) => entry.split(' ')[1] ?? ''

/** Compares what an action has changed with what it declares and whom it has told. @returns what is missing */
function judgeEffects(act: Act, before: Access, after: Access, world: World, isUndoable: boolean): string[] {
  const missing: string[] = []
  const { people } = world
  const notices = ({ told }: Access, id: number) => told.find(one => one.id === id)?.notices ?? 0
  const isTold = (id: number) => notices(after, id) > notices(before, id)
  const require = (id: number, why: string) => {
    const has = (right: Right) => before.rights.includes(`${id} ${right}`)
    const isConcerned = why === 'rights' ? has('owner') : has('programme')
    if (isConcerned && !isTold(id)) missing.push(`${why} changed, and ${id} is not told`)
  }
  const known = new Set(before.login.map(idOf))
  for (const change of ['login', 'rights', 'names'] as const) {
    const differing = difference(before[change], after[change])
    // A new account, which nobody had before, is not a changed one.
    const changed = change === 'login' ? differing.filter(entry => known.has(idOf(entry))) : differing
    if (changed.length === 0) continue
    const declared: readonly string[] = ACTS[act.kind].effects.changes ?? []
    if (!declared.includes(change)) missing.push(`changes ${change} without declaring it: ${changed}`)
    const isGain = after[change].some(entry => !before[change].includes(entry))
    if (isUndoable && isGain) missing.push(`changes ${change} and can be undone silently`)
    const isSelf = (id: number) => changed.every(entry => idOf(entry) === id)
    if (change === 'rights' && !isSelf(people.owner)) require(people.owner, 'rights')
    if (change === 'names' && isGain && !isSelf(people.holder)) require(people.holder, 'names')
    const isMoved = (entry: string) =>
      addressIn(entry).includes('@') &&
      !after.login.some(one => idOf(one) === idOf(entry) && addressIn(one) === addressIn(entry))
    if (change === 'login')
      for (const entry of before.login.filter(isMoved))
        if (!after.addresses.slice(before.addresses.length).includes(addressIn(entry)))
          missing.push(`takes ${addressIn(entry)} from account ${idOf(entry)}, and the address is not told`)
  }
  return missing
}

/** The candidates that name the victim, with the instructor instead, whom the search for chains leaves out. */
const listActsOnTeacher = ({ candidates, people }: World): Act[] =>
  candidates.flatMap(act => {
    const named = Object.entries(act).filter(([name, value]) => /webUserId$/i.test(name) && value === people.victim)
    return named.length > 0 ? [{ ...act, ...Object.fromEntries(named.map(([name]) => [name, people.teacher])) }] : []
  })

/**
 * Performs every action of an owner with all permissions and compares who can log in how, who has which right and who
 * sees whose names before and after it.
 * @param isAlone nobody else has permissions, so that nobody would be told
 * @returns actions that change what they do not declare, or what is not told to those whom the rules name
 */
export async function findUndeclaredEffects(
  world: World,
  isAlone: boolean,
): Promise<{ acts: number; findings: string[] }> {
  const run = { world, rights: RIGHTS, isProgram: false }
  return inWorld(run, async tx => {
    const findings = new Set<string>()
    let acts = 0
    if (isAlone) await tx.execute(sql`delete from office_rights where web_user_id <> ${world.people.actor}`)
    const before = await readAccess(tx)
    await tx.execute(sql`savepoint act`)
    for (const act of [...world.candidates, ...listActsOnTeacher(world)]) {
      const answer = await perform(tx, { ...act, undoable: true }, run)
      if (answer) {
        acts += 1
        const missing = judgeEffects(act, before, await readAccess(tx), world, answer.undoable === true)
        for (const one of missing) findings.add(`${describeAct(act)}: ${one}`)
      }
      await tx.execute(sql`rollback to savepoint act`)
    }
    return { acts, findings: [...findings] }
  })
}
