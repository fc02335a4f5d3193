/** `Object.keys` and its like, for tables whose keys are all known: with their types. */

export const keysOf = <Table extends object>(table: Table) => Object.keys(table) as (keyof Table & string)[]

export const entriesOf = <Table extends object>(table: Table) =>
  Object.entries(table) as { [Key in keyof Table & string]: [Key, Table[Key]] }[keyof Table & string][]

/** One value for each of the keys. */
export const recordOf = <Key extends string, Value>(keys: readonly Key[], find: (key: Key) => Value) =>
  Object.fromEntries(keys.map(key => [key, find(key)])) as Record<Key, Value>
