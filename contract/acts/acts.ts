import * as v from 'valibot'
import { entriesOf, isKeyOf } from '../records.ts'
import { email, id, RIGHTS_OF_SCOPE, type Right, right, type Scope } from '../values.ts'
import {
  type ActDefinition,
  type ActEffects,
  actBodySchema,
  defineAct,
  isDeniedToApiClients,
  requiredRightsOf,
} from './act.ts'
import { batchActs } from './batches.ts'
import { attendanceActs, bookingActs } from './bookings.ts'
import { connectionActs } from './connections.ts'
import { contentActs } from './content.ts'
import { messageActs } from './messages.ts'
import { moneyActs } from './money.ts'
import { personActs } from './people.ts'
import { importActs, lessonActs, programmeActs, REMOVABLE_OBJECT_KINDS, removalActs } from './programme.ts'

const rightActs = {
  'grant-right': defineAct(
    'owner',
    'Grants an account a right in the office UI',
    { email, right },
    { addresses: ['email'], changes: ['rights'], grants: 'right' },
  ),
  'revoke-right': defineAct(
    'owner',
    'Revokes a right of an account in the office UI',
    { email, right },
    { addresses: ['email'], changes: ['rights'] },
  ),
}

const certificateActs = {
  'issue-certificates': defineAct(
    'billing',
    'Issues certificates of attendance for a settled course',
    {
      courseId: id,
      /**
       * issues a certificate to this person only, regardless of their status; if missing, to everyone who has earned
       * one
       */
      webUserId: v.optional(id),
    },
    { people: ['webUserId'], result: ['certificates'] },
  ),
  'revoke-certificate': defineAct('billing', 'Revokes a certificate of attendance', {
    code: v.pipe(v.string(), v.regex(/^[\w-]{22}$/)),
  }),
}

/**
 * All office actions. The UI, the server, the audit log, the tests and the list of rights are derived from this table.
 */
export const ACTS = {
  ...bookingActs,
  ...personActs,
  ...messageActs,
  ...attendanceActs,
  ...lessonActs,
  ...programmeActs,
  ...importActs,
  ...contentActs,
  ...removalActs,
  ...rightActs,
  ...connectionActs,
  ...moneyActs,
  ...batchActs,
  ...certificateActs,
}

export type ActKind = keyof typeof ACTS
type Common = {
  actId: string
  reason?: string | undefined
  preview: boolean
  version?: number | undefined
  undoable?: boolean | undefined
  undoes?: string | undefined
}
type SentCommon = Omit<Common, 'preview'> & { preview?: boolean }

type MayBeMissing<S> = S extends v.OptionalSchema<v.GenericSchema, undefined> ? true : false
type MayBeUnsent<S> = S extends v.OptionalSchema<v.GenericSchema, unknown> ? true : false
type Out<S> = S extends v.GenericSchema ? v.InferOutput<S> : never
type In<S> = S extends v.GenericSchema ? v.InferInput<S> : never
type Read<F> = { [K in keyof F as MayBeMissing<F[K]> extends true ? never : K]: Out<F[K]> } & {
  [K in keyof F as MayBeMissing<F[K]> extends true ? K : never]?: Out<F[K]>
}
type Written<F> = { [K in keyof F as MayBeUnsent<F[K]> extends true ? never : K]: In<F[K]> } & {
  [K in keyof F as MayBeUnsent<F[K]> extends true ? K : never]?: In<F[K]>
}

export type ActOfKind<Kind extends ActKind> = Common & { kind: Kind } & Read<(typeof ACTS)[Kind]['fields']>
export type Act = { [Kind in ActKind]: ActOfKind<Kind> }[ActKind]
export type SentAct = {
  [Kind in ActKind]: SentCommon & { kind: Kind } & Written<(typeof ACTS)[Kind]['fields']>
}[ActKind]

const bodies = entriesOf<Record<ActKind, ActDefinition>>(ACTS).map(([kind, act]) => actBodySchema(kind, act))

export const actBody = v.variant('kind', bodies) as v.GenericSchema<SentAct, Act>

const isKind = (kind: unknown): kind is ActKind => typeof kind === 'string' && isKeyOf(ACTS, kind)

/**
 * Rights that allow performing the action; the user needs any one of them. They are derived from the body before it is
 * validated. Returns null for an unknown action.
 */
export function rightsForAct(body: unknown): readonly Right[] | null {
  const { kind, what, rights }: Record<string, unknown> = typeof body === 'object' ? { ...body } : {}
  if (kind === 'remove' && typeof what === 'string' && isKeyOf(REMOVABLE_OBJECT_KINDS, what))
    return [REMOVABLE_OBJECT_KINDS[what]]
  if (!isKind(kind)) return null
  if (kind === 'invite-person') return rights === undefined || isEmpty(rights) ? ['programme', 'bookings'] : ['owner']
  return requiredRightsOf(ACTS[kind])
}
const isEmpty = (list: unknown) => Array.isArray(list) && list.length === 0

/** Service token scopes that allow performing actions. */
export const ACT_SCOPES = ['programme', 'bookings'] as const satisfies readonly Scope[]

/** Service token scopes that allow performing this action; any one suffices. Empty if only people can perform it. */
export const scopesForAct = (kind: ActKind): readonly Scope[] =>
  isDeniedToApiClients(ACTS[kind].effects)
    ? []
    : ACT_SCOPES.filter(scope => RIGHTS_OF_SCOPE[scope].some(right => requiredRightsOf(ACTS[kind]).includes(right)))

/** Declared effects of an action; null for actions that are only available on the command line, such as an import. */
export const effectsOf = (kind: string): ActEffects | null => (isKind(kind) ? ACTS[kind].effects : null)
