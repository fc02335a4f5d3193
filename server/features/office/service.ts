import { createHash } from 'node:crypto'
import type { Act, ActKind } from '#contract/acts/acts.ts'
import type { ActAnswer, Consequences } from '#contract/office.ts'
import type { Language } from '#contract/values.ts'
import type { Config } from '#server/config.ts'
import type { Database, Queryable } from '#server/db/client.ts'
import { HttpProblem } from '#server/http/problems.ts'
import { translate } from '#server/texts/translate.ts'
import { claimAct, type DoneAct, findAct, updateActAnswer } from './act-repository.ts'
import { actHandlers } from './acts/handlers.ts'
import { insertAuditLine } from './audit-log-repository.ts'
import {
  fillNames,
  findConsequences,
  markStart,
  NO_ACCOUNT,
  nameClashes,
  withoutNames,
} from './consequences-repository.ts'
import { type ActHandler, type Actor, ActRejected, createDesk } from './desk-service.ts'
import { authorizeAct } from './effects-service.ts'

const NO_CONSEQUENCES: Consequences = {
  mails: 0,
  letters: 0,
  messages: 0,
  pushes: 0,
  booked: [],
  ended: [],
  promoted: [],
  told: [],
  call: [],
  clashes: [],
}

/** Ends a transaction without its changes. */
class Undone extends Error {
  readonly answer: ActAnswer

  constructor(answer: ActAnswer) {
    super('undone')
    this.answer = answer
  }
}

type Call = {
  actor: Actor & { id: number }
  language: Language
  config: Pick<Config, 'region' | 'dataDir' | 'publicUrl'>
}

/** The same for the same content, whatever the order of its fields. */
const canonical = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(canonical)
    : typeof value === 'object' && value !== null
      ? Object.fromEntries(
          Object.entries(value)
            .filter(([, inner]) => inner !== undefined)
            .sort(([a], [b]) => (a < b ? -1 : 1))
            .map(([key, inner]) => [key, canonical(inner)]),
        )
      : value
const fingerprintOf = ({ preview, ...act }: Act) =>
  createHash('sha256')
    .update(JSON.stringify(canonical(act)))
    .digest()

/** @throws HttpProblem 409 when the act done under this id was another one, or another person's */
function requireSame(done: DoneAct, actorId: number, fingerprint: Buffer): ActAnswer {
  if (done.actorId !== actorId || !done.fingerprint.equals(fingerprint) || done.answer === null)
    throw new HttpProblem(409, 'http.otherContent')
  return done.answer
}

/**
 * Does one act: the change, what follows from it, and its line in the record; a preview is the same, undone. See docs/decisions/0073.
 * @throws HttpProblem 409
 */
export async function performAct(db: Database, act: Act, { actor, language, config }: Call): Promise<ActAnswer> {
  const fingerprint = fingerprintOf(act)
  const known = await findAct(db, act.actId)
  if (known) return fillAnswer(db, requireSame(known, actor.id, fingerprint))
  try {
    return await db.transaction(async tx => {
      const done = act.preview ? null : await claimAct(tx, act.actId, actor.id, fingerprint)
      if (done) return fillAnswer(tx, requireSame(done, actor.id, fingerprint))
      const outcome = await runDeskAct(tx, act, { actor, language, config })
      const shown = { ...outcome, consequences: await nameClashes(tx, outcome.consequences) }
      if (act.preview) throw new Undone({ ...shown, recordId: null })
      await updateActAnswer(tx, act.actId, {
        ...outcome,
        consequences: withoutNames(outcome.consequences),
      })
      return shown
    })
  } catch (error) {
    if (error instanceof Undone) return error.answer
    if (!(error instanceof ActRejected)) throw error
    const { status, message, result, clashes } = error
    const consequences = await nameClashes(db, { ...NO_CONSEQUENCES, clashes })
    return { status, message, recordId: null, version: null, result, consequences }
  }
}

const fillAnswer = async (db: Queryable, answer: ActAnswer): Promise<ActAnswer> => ({
  ...answer,
  consequences: await fillNames(db, answer.consequences),
})

/** Performs an act of the desk in a transaction: authorization by its effects, the handler, the record line. @throws NotDone, HttpProblem 403 */
export const runDeskAct = (
  tx: Queryable,
  act: Act,
  call: Omit<Call, 'actor'> & { actor: Actor },
): ReturnType<typeof runAct> =>
  runAct(tx, act, call, async desk => {
    const handler = actHandlers[act.kind] as ActHandler<ActKind>
    return (await handler(desk, act as never)) ?? undefined
  })

/** What every act is, whoever does it: the change, its consequences counted, its line. @throws NotDone, HttpProblem 403 */
export async function runAct(
  tx: Queryable,
  act: { kind: string; reason?: string | undefined; version?: number | undefined; quiet?: boolean },
  { actor, language, config }: Omit<Call, 'actor'> & { actor: Actor },
  work: (desk: ReturnType<typeof createDesk>['desk']) => Promise<Record<string, unknown> | undefined>,
): Promise<ActAnswer> {
  const mark = await markStart(tx)
  const { desk, finish } = createDesk({ tx, config, actor, language, act })
  const authorizeResult = await authorizeAct(desk, act)
  const result = (await work(desk)) ?? {}
  await authorizeResult()
  const { version, objects, before, after, rules, text, people, courses, clashes, unreached, made } = await finish()
  const counted = await findConsequences(tx, mark)
  const call = [...counted.call, ...unreached.map(name => ({ id: NO_ACCOUNT, name, phone: '' }))]
  const found = { ...counted, call, clashes, ...(made && { made }) }
  const { mails, letters, messages, pushes, booked, ended, promoted, told } = found
  const concerned = new Set([
    ...people,
    ...[booked, ended, promoted, told].flat().flatMap(({ id }) => (id === NO_ACCOUNT ? [] : [id])),
  ])
  const recordId = await insertAuditLine(
    tx,
    {
      kind: act.kind,
      actorId: actor.id,
      objects,
      before,
      after,
      counts: {
        mails,
        letters,
        messages,
        pushes,
        booked: booked.length,
        ended: ended.length,
        promoted: promoted.length,
        told: told.length,
      },
      rules,
    },
    text,
    { people: [...concerned], courses },
  )
  const message = translate(language, 'office.done')
  return { status: 'Ok', message, recordId, version, result, consequences: found }
}
