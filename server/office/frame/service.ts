import type { Act } from '#contract/acts/acts.ts'
import type { ActResponse } from '#contract/office/office.ts'
import type { Language } from '#contract/values.ts'
import { endFreedPlaces } from '#server/features/bookings/lesson-place-service.ts'
import { trackOutdatedWaitingLists } from '#server/features/bookings/waiting-list-service.ts'
import type { Queryable } from '#server/platform/db/client.ts'
import { translate } from '#server/platform/texts/translate.ts'
import { insertAuditLogEntry } from './audit-log-repository.ts'
import {
  findActionConsequences,
  linkMailsToAuditEntry,
  NO_ACCOUNT_ID,
  readTransactionStart,
} from './consequences-repository.ts'
import { authorizeAct } from './effects-service.ts'
import { type Actor, accountIdOf, createOfficeContext, type OfficeContext } from './office-context-service.ts'
import { UNDO_SECONDS } from './undo-repository.ts'
import { prepareUndo, UNDO_RULE_NAME } from './undo-service.ts'

export type ActCall = {
  actor: Actor
  language: Language
  config: OfficeContext['config']
}

/**
 * Runs the steps common to all actions: the change, its effects and its audit log entry.
 * @throws ActRejected, HttpProblem 403
 */
export async function runActSteps(
  tx: Queryable,
  act: Pick<Act, 'reason' | 'version' | 'undoable' | 'undoes'> & { kind: string; quiet?: boolean },
  { actor, language, config }: ActCall,
  work: (office: OfficeContext) => Promise<Record<string, unknown> | undefined>,
): Promise<ActResponse> {
  const mark = await readTransactionStart(tx)
  const { office, hasCharge, finish } = createOfficeContext({ tx, config, actor, language, act })
  const authorizeResult = await authorizeAct(office, act)
  const undo = await prepareUndo(office, act, mark)
  const updateWaitingLists = await trackOutdatedWaitingLists(tx, config.region)
  const result = (await work(office)) ?? {}
  await updateWaitingLists()
  await endFreedPlaces(tx, config.region, act.undoes === undefined ? 0 : UNDO_SECONDS)
  await undo.holdOrWithdraw(hasCharge())
  const showsNames = await authorizeResult()
  const { version, objects, before, after, rules, text, people, courses, clashes, unreached, made } = await finish()
  const counted = await findActionConsequences(tx, mark, undo.ended)
  const isUndoable = await undo.close({ kind: act.kind, objects, before, after }, counted, showsNames)
  const call = [...counted.call, ...unreached.map(name => ({ id: NO_ACCOUNT_ID, name, phone: '' }))]
  const found = { ...counted, call, clashes, ...(made && { made }) }
  const { mails, letters, messages, pushes, booked, ended, promoted, told } = found
  const concerned = new Set([
    ...people,
    ...[booked, ended, promoted, told].flat().flatMap(({ id }) => (id === NO_ACCOUNT_ID ? [] : [id])),
  ])
  const recordId = await insertAuditLogEntry(
    tx,
    {
      kind: act.kind,
      actorId: accountIdOf(actor),
      ...(actor.kind === 'program' && { tokenId: actor.tokenId }),
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
      rules: act.undoes === undefined ? rules : [...rules, UNDO_RULE_NAME],
    },
    text,
    { people: [...concerned], courses },
  )
  if (act.kind === 'send-message') await linkMailsToAuditEntry(tx, mark, recordId)
  const message = translate(language, 'office.done')
  return {
    status: 'Ok',
    message,
    recordId,
    version,
    result,
    consequences: found,
    ...(isUndoable && { undoable: true }),
  }
}
