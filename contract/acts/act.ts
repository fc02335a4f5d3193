import * as v from 'valibot'
import { recordOf } from '../records.ts'
import type { Right } from '../rights.ts'
import { count, HARMLESS_LINE, HARMLESS_TEXT } from '../values.ts'

/** 'YYYY-MM-DD', a day that the calendar has */
const isDay = (text: string) => {
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().slice(0, 10) === text
}
export const day = v.pipe(v.string(), v.regex(/^(?:19|20|21)\d\d-\d\d-\d\d$/), v.check(isDay))
/** 'HH:mm' */
export const clock = v.pipe(v.string(), v.regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/))
/** 'YYYY-MM-DDTHH:mm' */
export const moment = v.pipe(
  v.string(),
  v.regex(/^(?:19|20|21)\d\d-\d\d-\d\dT(?:[01]\d|2[0-3]):[0-5]\d$/),
  v.check(text => isDay(text.slice(0, 10))),
)
export const momentOrNone = v.optional(v.nullable(v.union([moment, v.literal('')])))
export const words = (max = 10_000) => v.optional(v.pipe(v.string(), v.maxLength(max), v.regex(HARMLESS_TEXT)))
export const line = (max = 500) => v.optional(v.pipe(v.string(), v.maxLength(max), v.regex(HARMLESS_LINE)))
export const name = (max = 500) =>
  v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(max), v.regex(HARMLESS_LINE))

/** A text in both languages, as `name` and `name2`; an empty second one shows the first. */
export const both = <Field extends string>(field: Field, max?: number) =>
  recordOf<Field | `${Field}2`, ReturnType<typeof words>>([field, `${field}2`], () => words(max))
export const bothLines = <Field extends string>(field: Field, max?: number) =>
  recordOf<Field | `${Field}2`, ReturnType<typeof line>>([field, `${field}2`], () => line(max))

const ALWAYS = {
  /** made by the browser: done once, the same act changes nothing any more */
  actId: v.pipe(v.string(), v.uuid()),
  /** why a rule is broken, or nobody is told */
  reason: v.optional(v.pipe(v.string(), v.maxLength(1_000), v.regex(HARMLESS_TEXT))),
  /** does it for real, and undoes it */
  preview: v.optional(v.boolean(), false),
  /** of what the act names, as it was read */
  version: v.optional(count),
}

type Entries = Record<string, v.GenericSchema>

/**
 * Security effects of an act, by the names of its fields. The server authorizes the act by them before and after it runs
 * (docs/decisions/0132); `contract/acts/effects.test.ts` requires them for each field that identifies an account.
 */
export type Effects<Field extends string = string> = {
  /** Ids of accounts, some only where another field has this value. An unconfirmed registration counts as no account. */
  people?: readonly (Field | { field: Field; where: Field; is: string })[]
  /** E-mail addresses of accounts. An unconfirmed registration at one of them is deleted before the act runs. */
  addresses?: readonly Field[]
  /**
   * `login`: how the accounts of `people` log in: address, lock, existence. `rights`: rights of accounts.
   * `names`: who teaches, and can therefore read participants' names.
   */
  changes?: readonly ('login' | 'rights' | 'names')[]
  /** The right or rights that the act grants. */
  grants?: Field
  /** The scopes of the service token that the act creates. */
  scopes?: Field
}

export type ActDefinition<Fields extends Entries = Entries> = {
  right: Right | readonly Right[]
  fields: Fields
  effects: Effects
}

export const act = <Fields extends Entries>(
  right: ActDefinition['right'],
  fields: Fields,
  effects: Effects<keyof Fields & string> = {},
): ActDefinition<Fields> => ({ right, fields, effects })

/** An act that may be done without telling anybody; it then needs a reason. */
export const quietAct = <Fields extends Entries>(
  right: ActDefinition['right'],
  fields: Fields,
  effects?: Effects<keyof Fields & string>,
) =>
  act(
    right,
    { ...fields, quiet: v.optional(v.boolean(), false) },
    effects as Effects<(keyof Fields & string) | 'quiet'>,
  )

export const bodyOf = (kind: string, { fields }: ActDefinition) =>
  v.strictObject({ kind: v.literal(kind), ...ALWAYS, ...fields })

export const rightsOf = ({ right }: ActDefinition): readonly Right[] => (typeof right === 'string' ? [right] : right)
