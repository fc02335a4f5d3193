import type { Act, ActKind } from '#contract/acts/acts.ts'
import type { ActAnswer, Consequences } from '#contract/office.ts'
import type { Database, Queryable } from '#server/db/client.ts'
import { fillNames, nameClashes, withoutNames } from '#server/features/office/consequences-repository.ts'
import { type ActHandler, type Actor, ActRejected, accountOf } from '#server/features/office/desk-service.ts'
import { type ActCall, runAct } from '#server/features/office/service.ts'
import { HttpProblem } from '#server/http/problems.ts'
import { actHandlers } from './handlers.ts'
import { type ActSource, claimAct, type DoneAct, findAct, updateActAnswer } from './repository.ts'
import { fingerprintOf, mergeAnswers, partsOf } from './rules.ts'

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
 * docs/decisions/0073. An act of several parts is checked as a whole before the first of them is committed.
 * @throws HttpProblem 409
 */
export async function performAct(db: Database, act: Act, call: ActCall): Promise<ActAnswer> {
  const parts = partsOf(act)
  if (parts.length < 2 || act.preview) return performAtOnce(db, act, call)
  const fingerprint = fingerprintOf(act)
  const source = sourceOf(call.actor)
  const known = await findAct(db, act.actId)
  if (known) return fillAnswer(db, requireSame(known, source, fingerprint))
  const checked = await performAct(db, { ...act, preview: true }, call)
  if (checked.status !== 'Ok') return checked
  const answers: ActAnswer[] = []
  for (const part of parts) {
    const answer = await performAtOnce(db, part, call)
    if (answer.status !== 'Ok') return answer
    answers.push(answer)
  }
  const merged = mergeAnswers(answers)
  return db.transaction(async tx => {
    const done = await claimAct(tx, act.actId, source, fingerprint)
    if (done) return fillAnswer(tx, requireSame(done, source, fingerprint))
    await updateActAnswer(tx, act.actId, { ...merged, consequences: withoutNames(merged.consequences) })
    return merged
  })
}

/** Performs an act in one transaction. */
async function performAtOnce(db: Database, act: Act, { actor, language, config }: ActCall): Promise<ActAnswer> {
  const fingerprint = fingerprintOf(act)
  const source = sourceOf(actor)
  const known = await findAct(db, act.actId)
  if (known) return fillAnswer(db, requireSame(known, source, fingerprint))
  try {
    return await db.transaction(async tx => {
      const done = act.preview ? null : await claimAct(tx, act.actId, source, fingerprint)
      if (done) return fillAnswer(tx, requireSame(done, source, fingerprint))
      const outcomes: ActAnswer[] = []
      for (const part of partsOf(act)) outcomes.push(await runDeskAct(tx, part, { actor, language, config }))
      const outcome = mergeAnswers(outcomes)
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
