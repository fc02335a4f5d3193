import type { Act, ActKind, ActOfKind } from '#contract/acts/acts.ts'
import type { ActConsequences } from '#contract/office/office.ts'
import type { Language } from '#contract/values.ts'
import type { Config } from '#server/platform/config/config.ts'
import type { Queryable } from '#server/platform/db/client.ts'
import { type Notice, type NoticeDelivery, sendNotices } from '#server/platform/outbox/notices.ts'
import { failureCodeOf } from '#server/platform/texts/failure-codes.ts'
import { translate } from '#server/platform/texts/translate.ts'
import {
  incrementProgrammeRevision,
  incrementVersions,
  lockVersions,
  type VersionedKey,
  type VersionedTable,
} from './version-repository.ts'

/**
 * Who performs an action: a staff member, a client with a service token, or a command run by the operator.
 * Authorization depends on `kind`: a command always has the permissions of an owner.
 */
export type Actor = { rights: readonly string[] } & (
  | {
      kind: 'user'
      id: number
      /** whether the user confirmed a passkey within the past minute, or the portal does not require one */
      hasFreshPasskey?: boolean
    }
  | { kind: 'program'; tokenId: number; name: string }
  | { kind: 'command' }
)

/**
 * The actor's account, for columns that refer to accounts; null for service tokens and commands. It does not prove that
 * the actor has any permissions.
 */
export const accountIdOf = (actor: Actor): number | null => (actor.kind === 'user' ? actor.id : null)

/** Thrown to reject an action, which rolls its transaction back. `message` states the reason. */
export class ActRejected extends Error {
  readonly status: 'Failed' | 'Changed' | 'Reason'
  readonly code: string
  readonly result: Record<string, unknown>
  /** results collected before the rejection */
  readonly clashes: ActConsequences['clashes']

  constructor(
    status: ActRejected['status'],
    { key, message }: { key: string; message: string },
    { result = {}, clashes = [] }: Partial<Pick<ActRejected, 'result' | 'clashes'>> = {},
  ) {
    super(message)
    this.status = status
    this.code = failureCodeOf(key)
    this.result = result
    this.clashes = clashes
  }
}

type Values = Record<string, string | number>
type Made = NonNullable<ActConsequences['made']>

/**
 * Context of an action of the office UI: its transaction, and the methods with which the action reports its effects.
 */
export type OfficeContext = {
  tx: Queryable
  config: Pick<
    Config,
    | 'region'
    | 'dataDir'
    | 'publicUrl'
    | 'billing'
    | 'branding'
    | 'webhookNetworks'
    | 'isPasskeyRequired'
    | 'isPasskeyOffByDefault'
  >
  actor: Actor
  language: Language
  /** whether the action sends no notifications */
  isQuiet: boolean
  /** reason for overriding rules; '' if none was given */
  reason: string
  /** returns a text of the office UI in the actor's language, by its key below `office.` */
  say(key: string, values?: Values): string
  /** Rejects the action because it violates a rule that cannot be overridden. */
  fail(key: string, values?: Values, result?: Record<string, unknown>): never
  /**
   * Applies a rule that can be overridden with a reason. Without a reason, the action is rejected; otherwise the
   * override is recorded.
   */
  askReason(key: string, values?: Values): void
  /** Rejects a decision of the actor about their own verification, proof, debt or refund. */
  refuseOwn(webUserId: number | null): void
  /**
   * Locks the action's main row and compares its version (optimistic lock). The version is incremented when the action
   * ends.
   */
  open(table: VersionedTable, id: VersionedKey): Promise<void>
  /** Locks other rows that the action changes. */
  touch(table: VersionedTable, ...ids: VersionedKey[]): Promise<void>
  /** Excludes locked rows that the action leaves unchanged, so that their versions are not incremented. */
  leaveUnchanged(table: VersionedTable, ...ids: VersionedKey[]): void
  /** Registers a row that the action created as its main row, so that the response contains the row's version. */
  setCreated(table: VersionedTable, id: VersionedKey): void
  /** Adds people or courses to the audit log entry, in addition to those notified. */
  addAffected(who: { people?: number[]; courses?: number[] }): void
  /** Adds the affected ids and the changed values to the audit log entry, without names. */
  note(what: { objects?: Values; before?: Record<string, unknown>; after?: Record<string, unknown> }): void
  /** Adds free text written by the actor. It is stored beside the audit log entry, so that it can be erased. */
  noteText(text: string): void
  /**
   * Notifies people.
   * @param others `people`: ids of instructors among the recipients; `addresses`: e-mail addresses of instructors without
   * an account; `names`: instructors who have neither an account nor an e-mail address, so that staff must telephone them
   */
  notify(
    webUserIds: number[],
    notice: Notice,
    others?: { people?: number[]; addresses: string[]; names: string[] },
  ): Promise<void>
  /**
   * Sends several notices, each to its own recipients.
   * @param names instructors who have neither an account nor an e-mail address, so that staff must telephone them
   */
  sendDeliveries(deliveries: NoticeDelivery[], names?: Iterable<string>): Promise<void>
  /** whether the action has notified this person */
  isTold(webUserId: number): boolean
  clash(clash: ActConsequences['clashes'][number]): void
  /** Adds new courses and lessons to the preview. */
  addToPreview(part: Partial<Made>): void
  /** Invalidates the programme cache of all servers. */
  programmeChanged(): void
}

/**
 * Function that performs an action.
 * @returns ids of created rows
 * @throws ActRejected
 */
export type ActHandler<Kind extends ActKind> = (
  office: OfficeContext,
  act: ActOfKind<Kind>,
) => Promise<Record<string, unknown> | undefined>

export type OfficeContextState = {
  office: OfficeContext
  /** whether the action has made or removed a charge */
  hasCharge(): boolean
  /** returns the data for the audit log */
  finish(): Promise<{
    version: number | null
    objects: Values
    before: Record<string, unknown>
    after: Record<string, unknown>
    rules: string[]
    text: string
    people: number[]
    courses: number[]
    clashes: ActConsequences['clashes']
    /** names of instructors who have neither an account nor an e-mail address */
    unreached: string[]
    made: Made | undefined
  }>
}

type Options = Pick<OfficeContext, 'tx' | 'config' | 'actor' | 'language'> & {
  act: Pick<Act, 'reason' | 'version' | 'undoes'> & { quiet?: boolean }
}

/** Tracks the rows that an action locks. Each version is incremented once, however often the action writes the row. */
function trackVersions(tx: Queryable) {
  type Row = { table: VersionedTable; id: VersionedKey }
  const locked = new Map<VersionedTable, Map<VersionedKey, number>>()
  let main: Row | null = null
  return {
    /**
     * Locks rows.
     * @returns the version of each existing row
     */
    async lock(table: VersionedTable, ids: readonly VersionedKey[]): Promise<Map<VersionedKey, number>> {
      const found = await lockVersions(tx, table, ids)
      // If a row was already locked, keeps the version found when it was locked first.
      locked.set(table, new Map([...found, ...(locked.get(table) ?? [])]))
      return found
    },
    leave(table: VersionedTable, ids: readonly VersionedKey[]): void {
      for (const id of ids) locked.get(table)?.delete(id)
    },
    /** Sets the main row of the action, whose version the response contains. */
    setMain(table: VersionedTable, id: VersionedKey): void {
      main = { table, id }
    },
    /**
     * Increments the versions of the locked rows.
     * @returns the new version of the action's main row; null if it has no main row or deleted it
     */
    async raise(): Promise<number | null> {
      const raised = new Map<VersionedTable, Map<VersionedKey, number>>()
      for (const [table, found] of locked) raised.set(table, await incrementVersions(tx, table, found))
      const row: Row | null = main
      if (row === null) return null
      const version = raised.get(row.table)?.get(row.id)
      return version ?? (await lockVersions(tx, row.table, [row.id])).get(row.id) ?? null
    },
  }
}

/** Collects the content of an action's audit log entry. */
function createAuditEntry(reason: string) {
  const texts: string[] = []
  const objects: Values = {}
  const before: Record<string, unknown> = {}
  const after: Record<string, unknown> = {}
  const people = new Set<number>()
  const courses = new Set<number>()
  const addAffected: OfficeContext['addAffected'] = who => {
    for (const id of who.people ?? []) people.add(id)
    for (const id of who.courses ?? []) courses.add(id)
  }
  const note: OfficeContext['note'] = what => {
    Object.assign(objects, what.objects)
    Object.assign(before, what.before)
    Object.assign(after, what.after)
  }
  const noteText: OfficeContext['noteText'] = text => {
    if (text.trim() !== '') texts.push(text)
  }
  const read = () => ({
    objects,
    before,
    after,
    // The reason is last, because the first line of a sent message is its subject.
    text: [...texts, reason].filter(Boolean).join('\n\n'),
    people: [...people],
    courses: [...courses],
  })
  return { addAffected, note, noteText, read }
}

export function createOfficeContext({ tx, config, actor, language, act }: Options): OfficeContextState {
  const say: OfficeContext['say'] = (key, values) => translate(language, `office.${key}`, values)
  const textOf = (key: string, values?: Values) => ({ key: `office.${key}`, message: say(key, values) })
  const reason = act.reason?.trim() || (act.undoes === undefined ? '' : say('undone'))
  const rules: string[] = []
  const entry = createAuditEntry(reason)
  const clashes: ActConsequences['clashes'] = []
  const unreached = new Set<string>()
  const notified = new Set<number>()
  const versions = trackVersions(tx)
  let isProgrammeChanged = false
  let made: Made | undefined

  const lock = async (table: VersionedTable, ids: readonly VersionedKey[]): Promise<Map<VersionedKey, number>> => {
    const found = await versions.lock(table, ids)
    if (ids.some(id => !found.has(id))) office.fail(`unknown.${table}`)
    if (table === 'courses') entry.addAffected({ courses: ids.map(Number) })
    if (table === 'web_users') entry.addAffected({ people: ids.map(Number) })
    return found
  }
  const office: OfficeContext = {
    tx,
    config,
    actor,
    language,
    isQuiet: act.quiet === true,
    reason,
    say,
    fail(key, values, result) {
      throw new ActRejected('Failed', textOf(key, values), { ...(result && { result }) })
    },
    askReason(key, values) {
      if (reason === '') throw new ActRejected('Reason', textOf(key, values), { clashes })
      if (!rules.includes(key)) rules.push(key)
    },
    refuseOwn(webUserId) {
      if (webUserId !== null && webUserId === accountIdOf(actor)) office.fail('failed.ownMoney')
    },
    async open(table, id) {
      const version = (await lock(table, [id])).get(id)
      if (act.version !== undefined && act.version !== version) throw new ActRejected('Changed', textOf('changed'))
      versions.setMain(table, id)
    },
    async touch(table, ...ids) {
      await lock(table, ids)
    },
    leaveUnchanged: (table, ...ids) => versions.leave(table, ids),
    setCreated: versions.setMain,
    addAffected: entry.addAffected,
    note: entry.note,
    noteText: entry.noteText,
    notify: (people, notice, { people: instructors = [], addresses, names } = { addresses: [], names: [] }) =>
      office.sendDeliveries([{ people, addresses, instructors, notice }], names),
    async sendDeliveries(deliveries, names = []) {
      if (office.isQuiet) return
      await sendNotices(tx, deliveries)
      for (const { people: told } of deliveries) for (const id of told) notified.add(id)
      for (const name of names) unreached.add(name)
    },
    isTold: webUserId => notified.has(webUserId),
    clash: clash => void clashes.push(clash),
    addToPreview(part) {
      made = { courses: 0, lessons: [], holidays: [], fewerLessons: [], withoutLessons: [], ...made, ...part }
    },
    programmeChanged() {
      isProgrammeChanged = true
    },
  }
  if (office.isQuiet) office.askReason('reason.quiet')

  return {
    office,
    hasCharge: () => [entry.read().before, entry.read().after].some(({ chargeCents }) => Boolean(chargeCents)),
    async finish() {
      const version = await versions.raise()
      if (isProgrammeChanged) await incrementProgrammeRevision(tx)
      return {
        version,
        ...entry.read(),
        rules,
        clashes,
        unreached: [...unreached],
        made,
      }
    },
  }
}
