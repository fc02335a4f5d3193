/** `Object.keys` and its like, for tables whose keys are all known: with their types. */

export const keysOf = <Table extends object>(table: Table) => Object.keys(table) as (keyof Table & string)[]

export const entriesOf = <Table extends object>(table: Table) =>
  Object.entries(table) as { [Key in keyof Table & string]: [Key, Table[Key]] }[keyof Table & string][]

export const recordOf = <Key extends string, Value>(keys: readonly Key[], find: (key: Key) => Value) =>
  Object.fromEntries(keys.map(key => [key, find(key)])) as Record<Key, Value>

export const pick = <Whole extends object, Key extends keyof Whole & string>(whole: Whole, keys: readonly Key[]) =>
  Object.fromEntries(keys.map(key => [key, whole[key]])) as Pick<Whole, Key>

export const isOneOf = <Value>(values: readonly Value[], value: unknown): value is Value =>
  values.some(known => known === value)

export const isKeyOf = <Table extends object>(table: Table, key: PropertyKey): key is keyof Table & string =>
  Object.hasOwn(table, key)
