import { createAuditAnchor } from '#server/office/frame/audit-anchor-service.ts'
import { countHrListRemovals, isHrListRemovalLimitReached } from '#server/office/frame/directory-repository.ts'
import { runActSteps } from '#server/office/frame/service.ts'
import { updateHrList } from '#server/office/people/hr-list-service.ts'
import type { Queryable } from '#server/platform/db/client.ts'
import { HttpProblem } from '#server/platform/http/problems.ts'
import { logSecurityEvent } from '#server/platform/http/security-log.ts'
import type { ServerContext } from '#server/platform/runtime/context.ts'
import type { StoredScimUser } from './scim-repository.ts'
import * as repository from './scim-repository.ts'
import { type ScimFilter, type ScimPerson, ScimProblem } from './scim-rules.ts'

/** Maximum page size. */
export const MAX_SCIM_RESULTS = 200
const MAX_FIRST = 10_000_000
const RETRY_S = 3600
const unknown = () => new ScimProblem(404, 'There is no such user')

export type ScimClient = { tokenId: number; name: string }

/**
 * Creates the SCIM operations. Each change updates the HR list in the same transaction and is recorded in the audit
 * log.
 */
export function createScimService({ db, config, log }: Pick<ServerContext, 'db' | 'config' | 'log'>) {
  const anchorAuditLog = createAuditAnchor({ db, config, log })

  const find = async (tx: Queryable, id: string): Promise<StoredScimUser> => {
    const person = await repository.findScimUser(tx, id)
    if (person === null) throw unknown()
    return person
  }

  /**
   * Refuses a removal once too many people have been removed, so that a directory emptied by mistake does not end
   * everyone's access.
   * @throws HttpProblem 429 if the limit is reached
   */
  const requireMost = async (tx: Queryable): Promise<void> => {
    const { active, removed } = await countHrListRemovals(tx)
    if (!isHrListRemovalLimitReached({ active, removed })) return
    logSecurityEvent(log, 'directory.removals-refused', { people: active + removed, removed })
    throw new HttpProblem(429, 'http.tooManyRemovals', { seconds: RETRY_S })
  }

  /**
   * Updates or deletes a person.
   * @param next computes the new state; null deletes the person
   * @returns the person as stored
   */
  const change = async <Id extends string | null>(
    program: ScimClient,
    kind: string,
    id: Id,
    next: (before: StoredScimUser | null) => ScimPerson | null,
  ): Promise<StoredScimUser | null> => {
    const { isChanged, person } = await db.transaction(async tx => {
      await repository.lockScimUsers(tx)
      const before = id === null ? null : await find(tx, id)
      const after = next(before)
      if (before && after && isSame(before, after)) return { isChanged: false, person: before }
      const isListed = after?.isActive === true
      const isRemoval = before?.isActive === true && (!isListed || before.personnelNumber !== after.personnelNumber)
      if (isRemoval) await requireMost(tx)
      if (after) await requireFree(tx, after, id)
      const divisionId = after ? await requireDivision(tx, after) : null
      const kept: { id: string | null } = { id }
      const actor = { kind: 'program', rights: [], ...program } as const
      await runActSteps(tx, { kind }, { actor, language: 'en', config }, async office => {
        if (after === null) await repository.deleteScimUser(tx, id ?? '')
        else if (id === null) kept.id = await repository.insertScimUser(tx, { ...after, divisionId })
        else await repository.updateScimUser(tx, id, { ...after, divisionId })
        const gone = before && (!isListed || before.personnelNumber !== after.personnelNumber)
        const rows = isListed
          ? [{ personnelNumber: after.personnelNumber, employeeStatus: after.employeeStatus, divisionId }]
          : []
        const changed = await updateHrList(office, rows, { numbers: gone ? [before.personnelNumber] : [] })
        office.note({ after: { active: isListed, isRemoval, ...changed } })
        return undefined
      })
      return { isChanged: true, person: after && kept.id ? await find(tx, kept.id) : null }
    })
    if (isChanged) await anchorAuditLog()
    return person
  }

  return {
    find: (id: string) => find(db, id),

    async list(filter: ScimFilter | null, { startIndex, count }: { startIndex: number; count: number }) {
      const offset = Math.min(Math.max(startIndex, 1), MAX_FIRST) - 1
      const limit = Math.min(Math.max(count, 0), MAX_SCIM_RESULTS)
      const total = await repository.countScimUsers(db, filter)
      const people = limit === 0 ? [] : await repository.listScimUsers(db, filter, { offset, limit })
      return { total, startIndex: offset + 1, people }
    },

    create: (program: ScimClient, person: ScimPerson) => change(program, 'scim-create', null, () => person),
    save: (program: ScimClient, id: string, next: (before: ScimPerson) => ScimPerson) =>
      change(program, 'scim-change', id, before => before && next(before)),
    remove: (program: ScimClient, id: string) => change(program, 'scim-remove', id, () => null),
  }
}

const FIELDS = ['userName', 'externalId', 'personnelNumber', 'employeeStatus', 'division', 'isActive'] as const
const isSame = (before: StoredScimUser, after: ScimPerson): boolean =>
  FIELDS.every(field =>
    field === 'division'
      ? after.division === before.division || after.division === String(before.divisionId)
      : before[field] === after[field],
  )

async function requireFree(tx: Queryable, person: ScimPerson, id: string | null): Promise<void> {
  const taken = await repository.findDuplicateScimUser(tx, person, id)
  if (taken) throw new ScimProblem(409, `Another user has this ${taken}`, 'uniqueness')
}

async function requireDivision(tx: Queryable, { division }: ScimPerson): Promise<number | null> {
  const found = await repository.findDivision(tx, division)
  if (found === undefined) throw new ScimProblem(400, 'There is no such division', 'invalidValue')
  return found
}
