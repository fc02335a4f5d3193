import * as v from 'valibot'
import { entriesOf, isKeyOf } from '../records.ts'
import { type Right, right } from '../rights.ts'
import { RIGHTS_OF_SCOPE, type Scope } from '../scopes.ts'
import { email, id } from '../values.ts'
import { type ActDefinition, act, bodyOf, type Effects, isForPeopleOnly, rightsOf } from './act.ts'
import { batchActs } from './batches.ts'
import { bookingActs } from './bookings.ts'
import { connectionActs } from './connections.ts'
import { contentActs } from './content.ts'
import { moneyActs } from './money.ts'
import { importActs, lessonActs, programmeActs, REMOVABLE, removeAct } from './programme.ts'

const rightActs = {
  'grant-right': act('owner', { email, right }, { addresses: ['email'], changes: ['rights'], grants: 'right' }),
  'revoke-right': act('owner', { email, right }, { addresses: ['email'], changes: ['rights'] }),
}

const certificateActs = {
  'issue-certificates': act(
    'billing',
    {
      courseId: id,
      /**
       * issues the certificate for this person only, regardless of their status; if missing, for every person who has
       * earned one
       */
      webUserId: v.optional(id),
    },
    { people: ['webUserId'] },
  ),
  'revoke-certificate': act('billing', { code: v.pipe(v.string(), v.regex(/^[\w-]{22}$/)) }),
}

/** All desk acts. Screens, server, audit log, tests and the list of rights are derived from this table. */
export const ACTS = {
  ...bookingActs,
  ...lessonActs,
  ...programmeActs,
  ...importActs,
  ...contentActs,
  ...removeAct,
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

export type ActOf<Kind extends ActKind> = Common & { kind: Kind } & Read<(typeof ACTS)[Kind]['fields']>
export type Act = { [Kind in ActKind]: ActOf<Kind> }[ActKind]
export type SentAct = {
  [Kind in ActKind]: SentCommon & { kind: Kind } & Written<(typeof ACTS)[Kind]['fields']>
}[ActKind]

const bodies = entriesOf<Record<ActKind, ActDefinition>>(ACTS).map(([kind, act]) => bodyOf(kind, act))

export const actBody = v.variant('kind', bodies) as v.GenericSchema<SentAct, Act>

const isKind = (kind: unknown): kind is ActKind => typeof kind === 'string' && isKeyOf(ACTS, kind)

/** Rights of which the user needs one to perform an act, checked before its body is validated; null: unknown act. */
export function rightsForAct(body: unknown): readonly Right[] | null {
  const { kind, what, rights }: Record<string, unknown> = typeof body === 'object' ? { ...body } : {}
  if (kind === 'remove' && typeof what === 'string' && isKeyOf(REMOVABLE, what)) return [REMOVABLE[what]]
  if (!isKind(kind)) return null
  if (kind === 'invite-person') return rights === undefined || isEmpty(rights) ? ['bookings'] : ['owner']
  return rightsOf(ACTS[kind])
}
const isEmpty = (list: unknown) => Array.isArray(list) && list.length === 0

/** Scopes of service tokens that perform acts. */
export const ACT_SCOPES = ['programme', 'bookings'] as const satisfies readonly Scope[]

/** Scopes of which a service token needs one to perform an act; empty: only people can perform it. */
export const scopesForAct = (kind: ActKind): readonly Scope[] =>
  isForPeopleOnly(ACTS[kind].effects)
    ? []
    : ACT_SCOPES.filter(scope => RIGHTS_OF_SCOPE[scope].some(right => rightsOf(ACTS[kind]).includes(right)))

/** The declared effects of an act; null for a kind performed by a command instead of a user, such as an import. */
export const effectsOf = (kind: string): Effects | null => (isKind(kind) ? ACTS[kind].effects : null)
