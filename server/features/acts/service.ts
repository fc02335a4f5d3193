import { createHash } from 'node:crypto'
import type { Act, ActKind } from '#contract/acts/acts.ts'
import type { ActAnswer, Consequences } from '#contract/office.ts'
import type { Database, Queryable } from '#server/db/client.ts'
import { fillNames, nameClashes, withoutNames } from '#server/features/office/consequences-repository.ts'
import { type ActHandler, type Actor, ActRejected, accountOf } from '#server/features/office/desk-service.ts'
import { type ActCall, runAct } from '#server/features/office/service.ts'
import { HttpProblem } from '#server/http/problems.ts'
import { actHandlers } from './handlers.ts'
import { type ActSource, claimAct, type DoneAct, findAct, updateActAnswer } from './repository.ts'

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

/** Rolls a transaction back. */
class Undone extends Error {
  readonly answer: ActAnswer

  constructor(answer: ActAnswer) {
    super('undone')
    this.answer = answer
  }
}

/** Hash of an act's content, independent of the order of its fields. */
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

const sourceOf = (actor: Actor): ActSource => ({
  actorId: accountOf(actor),
  tokenId: actor.kind === 'program' ? actor.tokenId : null,
})

/** @throws HttpProblem 409 if this id was used for another act, or by another person or program */
function requireSame(done: DoneAct, { actorId, tokenId }: ActSource, fingerprint: Buffer): ActAnswer {
  if (
    done.actorId !== actorId ||
    done.tokenId !== tokenId ||
    !done.fingerprint.equals(fingerprint) ||
    done.answer === null
  )
    throw new HttpProblem(409, 'http.otherContent')
  return done.answer
}

/**
 * Performs an act: the change, its consequences, its audit log line. A preview does the same and rolls back. See
 * docs/decisions/0073.
 * @throws HttpProblem 409
 */
export async function performAct(db: Database, act: Act, { actor, language, config }: ActCall): Promise<ActAnswer> {
  const fingerprint = fingerprintOf(act)
  const source = sourceOf(actor)
  const known = await findAct(db, act.actId)
  if (known) return fillAnswer(db, requireSame(known, source, fingerprint))
  try {
    return await db.transaction(async tx => {
      const done = act.preview ? null : await claimAct(tx, act.actId, source, fingerprint)
      if (done) return fillAnswer(tx, requireSame(done, source, fingerprint))
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
    const { status, code, message, result, clashes } = error
    const consequences = await nameClashes(db, { ...NO_CONSEQUENCES, clashes })
    return { status, code, message, recordId: null, version: null, result, consequences }
  }
}

const fillAnswer = async (db: Queryable, answer: ActAnswer): Promise<ActAnswer> => ({
  ...answer,
  consequences: await fillNames(db, answer.consequences),
})

/**
 * Performs an act in a transaction: authorization by its effects, the handler, the audit log line.
 * @throws ActRejected, HttpProblem 403
 */
export const runDeskAct = (tx: Queryable, act: Act, call: ActCall): ReturnType<typeof runAct> =>
  runAct(tx, act, call, async desk => {
    const handler = actHandlers[act.kind] as ActHandler<ActKind>
    return (await handler(desk, act as never)) ?? undefined
  })
