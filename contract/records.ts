/** Typed variants of `Object.keys` and related functions, for tables with a fixed set of keys. */

export const keysOf = <Table extends object>(table: Table) => Object.keys(table) as (keyof Table & string)[]

export const entriesOf = <Table extends object>(table: Table) =>
  Object.entries(table) as { [Key in keyof Table & string]: [Key, Table[Key]] }[keyof Table & string][]

/**
 * Builds an object with the given keys. The types ensure that each value belongs to such an object, but not that it
 * matches its key.
 */
export const objectFromKeys = <Whole extends object>(
  keys: readonly (keyof Whole & string)[],
  find: (key: keyof Whole & string) => Whole[keyof Whole & string],
) => Object.fromEntries(keys.map(key => [key, find(key)])) as Whole

export const recordFromKeys = <Key extends string, Value>(keys: readonly Key[], find: (key: Key) => Value) =>
  objectFromKeys<Record<Key, Value>>(keys, find)

export const pick = <Whole extends object, Key extends keyof Whole & string>(whole: Whole, keys: readonly Key[]) =>
  objectFromKeys<Pick<Whole, Key>>(keys, key => whole[key])

export const isOneOf = <Value>(values: readonly Value[], value: unknown): value is Value =>
  values.some(known => known === value)

export const isKeyOf = <Table extends object>(table: Table, key: PropertyKey): key is keyof Table & string =>
  Object.hasOwn(table, key)
