import { createHash } from 'node:crypto'
import type { Act, ActKind } from '#contract/acts/acts.ts'
import type { ActConsequences, ActResponse } from '#contract/office/office.ts'
import {
  addNamesToClashes,
  addNamesToConsequences,
  withoutPersonNames,
} from '#server/office/frame/consequences-repository.ts'
import { type ActHandler, type Actor, ActRejected, accountIdOf } from '#server/office/frame/office-context-service.ts'
import { type ActCall, runActSteps } from '#server/office/frame/service.ts'
import { rejectTimesSkippedByDst } from '#server/office/programme/course-service.ts'
import { trackSubstituteRequests } from '#server/office/programme/substitute-service.ts'
import type { Database, Queryable } from '#server/platform/db/client.ts'
import { HttpProblem } from '#server/platform/http/problems.ts'
import { translate } from '#server/platform/texts/translate.ts'
import { actHandlers } from './handlers.ts'
import {
  type ActSource,
  claimActId,
  findPerformedAct,
  type PerformedAct,
  updateStoredActResponse,
} from './repository.ts'

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
/** Hash of an action's content, independent of the order of its fields. */
const fingerprintOf = ({ preview, ...act }: Act) =>
  createHash('sha256')
    .update(JSON.stringify(canonical(act)))
    .digest()

/**
 * Splits an action that commits one transaction per object: settling commits one per course. The id of each part is
 * derived from the whole action, so that repeating an interrupted action performs only the missing parts.
 */
function partsOf(act: Act): Act[] {
  if (act.kind !== 'settle-courses') return [act]
  const ids = [...new Set(act.courseIds)].sort((a, b) => a - b)
  if (ids.length < 2) return [act]
  return ids.map((id, index) => {
    const digest = createHash('sha256').update(fingerprintOf(act)).update(`${id}`).digest('hex')
    const actId = digest.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5')
    // `version` is the expected version of the first course, so only the part for that course gets it.
    return { ...act, actId, courseIds: [id], version: index === 0 ? act.version : undefined }
  })
}

const listOf = (answers: readonly ActResponse[], key: string): unknown[] =>
  answers.flatMap(({ result }) => (Array.isArray(result[key]) ? result[key] : []))
/** Keeps one row per person: the one that the latest part of an action returned. */
const latestOfPeople = (rows: unknown[]): unknown[] => {
  const personOf = (row: unknown) => Object(row).webUserId
  return [...new Map(rows.map(row => [personOf(row), row])).values()]
}
const uniqueById = <Row extends { id: number }>(rows: Row[]): Row[] => [
  ...new Map(rows.map(row => [row.id, row])).values(),
]

/** Merges the responses to the parts of an action. The response to a single part is returned unchanged. */
function mergeAnswers(answers: readonly ActResponse[]): ActResponse {
  const [first, ...others] = answers
  const last = answers.at(-1)
  if (first === undefined || last === undefined) throw new Error('an act without parts has no answer')
  if (others.length === 0) return first
  const all = answers.map(({ consequences }) => consequences)
  const sum = (key: 'mails' | 'letters' | 'messages' | 'pushes') => all.reduce((total, one) => total + one[key], 0)
  return {
    ...last,
    version: first.version,
    result: {
      courses: listOf(answers, 'courses'),
      undecided: latestOfPeople(listOf(answers, 'undecided')),
      held: latestOfPeople(listOf(answers, 'held')),
    },
    consequences: {
      mails: sum('mails'),
      letters: sum('letters'),
      messages: sum('messages'),
      pushes: sum('pushes'),
      booked: uniqueById(all.flatMap(({ booked }) => booked)),
      ended: uniqueById(all.flatMap(({ ended }) => ended)),
      promoted: uniqueById(all.flatMap(({ promoted }) => promoted)),
      told: uniqueById(all.flatMap(({ told }) => told)),
      call: uniqueById(all.flatMap(({ call }) => call)),
      clashes: all.flatMap(({ clashes }) => clashes),
    },
  }
}

/** Converts a response to a preview, which omits the ids and versions of rows that were rolled back. */
const previewOf = (answer: ActResponse, message: string): ActResponse => ({
  ...answer,
  message,
  recordId: null,
  version: null,
  result: Object.fromEntries(Object.entries(answer.result).filter(([key]) => !/^id$|Ids?$/.test(key))),
})

const NO_CONSEQUENCES: ActConsequences = {
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

/** Thrown to roll back the transaction of a preview. */
class Undone extends Error {
  readonly answer: ActResponse

  constructor(answer: ActResponse) {
    super('undone')
    this.answer = answer
  }
}

const sourceOf = (actor: Actor): ActSource => ({
  actorId: accountIdOf(actor),
  tokenId: actor.kind === 'program' ? actor.tokenId : null,
})

/**
 * Verifies that a repeated action is identical to the first.
 * @throws HttpProblem 409 if the id was used for another action, or by another person or service
 */
function requireSame(done: PerformedAct, { actorId, tokenId }: ActSource, fingerprint: Buffer): ActResponse {
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
 * Performs an action of the office UI: the change, its effects and its audit log entry. A preview performs the same
 * steps and rolls them back. An action with several parts is checked as a whole before the first part is committed. See
 * docs/decisions/0073.
 * @throws HttpProblem 409
 */
export async function performAct(db: Database, act: Act, call: ActCall): Promise<ActResponse> {
  const parts = partsOf(act)
  if (parts.length < 2 || act.preview) return performAtOnce(db, act, call)
  const fingerprint = fingerprintOf(act)
  const source = sourceOf(call.actor)
  const known = await findPerformedAct(db, act.actId)
  if (known) return fillAnswer(db, requireSame(known, source, fingerprint))
  const checked = await performAct(db, { ...act, preview: true }, call)
  if (checked.status !== 'Ok') return checked
  const answers: ActResponse[] = []
  for (const part of parts) {
    const answer = await performAtOnce(db, part, call)
    if (answer.status !== 'Ok') return answer
    answers.push(answer)
  }
  const merged = mergeAnswers(answers)
  return db.transaction(async tx => {
    const done = await claimActId(tx, act.actId, source, fingerprint)
    if (done) return fillAnswer(tx, requireSame(done, source, fingerprint))
    await updateStoredActResponse(tx, act.actId, { ...merged, consequences: withoutPersonNames(merged.consequences) })
    return merged
  })
}

/** Performs an action in one transaction. */
async function performAtOnce(db: Database, act: Act, { actor, language, config }: ActCall): Promise<ActResponse> {
  const fingerprint = fingerprintOf(act)
  const source = sourceOf(actor)
  const known = await findPerformedAct(db, act.actId)
  if (known) return fillAnswer(db, requireSame(known, source, fingerprint))
  try {
    return await db.transaction(async tx => {
      const done = act.preview ? null : await claimActId(tx, act.actId, source, fingerprint)
      if (done) return fillAnswer(tx, requireSame(done, source, fingerprint))
      const outcomes: ActResponse[] = []
      for (const part of partsOf(act))
        outcomes.push(await performActInTransaction(tx, part, { actor, language, config }))
      const outcome = mergeAnswers(outcomes)
      const shown = { ...outcome, consequences: await addNamesToClashes(tx, outcome.consequences) }
      if (act.preview) throw new Undone(previewOf(shown, translate(language, 'office.preview')))
      await updateStoredActResponse(tx, act.actId, {
        ...outcome,
        consequences: withoutPersonNames(outcome.consequences),
      })
      return shown
    })
  } catch (error) {
    if (error instanceof Undone) return error.answer
    if (!(error instanceof ActRejected)) throw error
    const { status, code, message, result, clashes } = error
    const consequences = await addNamesToClashes(db, { ...NO_CONSEQUENCES, clashes })
    return { status, code, message, recordId: null, version: null, result, consequences }
  }
}

const fillAnswer = async (db: Queryable, answer: ActResponse): Promise<ActResponse> => ({
  ...answer,
  consequences: await addNamesToConsequences(db, answer.consequences),
})

/** Value of a field with date and time. */
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d$/
const toWallClock = (moment: string) => `${moment.replace('T', ' ')}:00`

/**
 * Performs an action within a transaction: authorizes it by its effects, calls the handler and writes the audit log
 * entry.
 * @throws ActRejected, HttpProblem 403
 */
export const performActInTransaction = (tx: Queryable, act: Act, call: ActCall): ReturnType<typeof runActSteps> =>
  runActSteps(tx, act, call, async office => {
    const moments = Object.values(act).filter(value => typeof value === 'string' && MOMENT.test(value))
    if (moments.length > 0) await rejectTimesSkippedByDst(office, moments.map(toWallClock))
    const handler = actHandlers[act.kind] as ActHandler<ActKind>
    const withdrawOutdatedRequests = await trackSubstituteRequests(office, act.undoes)
    const result = (await handler(office, act as never)) ?? undefined
    await withdrawOutdatedRequests()
    return result
  })
