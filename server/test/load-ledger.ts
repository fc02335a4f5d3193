/**
 * Possible values of a row: one after an acknowledged call, several after a call without a response. `changes` is
 * infinite after a silent call, which may still be executed after later ones.
 */
export type Entry = { possible: Set<string>; changes: number }
export type Values = Map<string, Set<string>>

export type LoadLedger = ReturnType<typeof createLedger>

/** Ledger of the values that the rows may contain, by row. */
export function createLedger() {
  const entries = new Map<string, Entry>()
  const observed = new Set<Values>()
  const tampered = new Set<string>()
  const valuesNow = (): Values => new Map([...entries].map(([key, { possible }]) => [key, new Set(possible)]))
  return {
    changesOf: (key: string) => entries.get(key)?.changes ?? 0,
    /** Records that `value` may be stored from now on. */
    attempt(key: string, first: string, value: string) {
      const entry = entries.get(key) ?? { possible: new Set([first]), changes: 0 }
      entries.set(key, entry)
      const before = entry.possible
      entry.possible = new Set([...before, value])
      for (const values of observed) values.set(key, (values.get(key) ?? new Set(before)).add(value))
      return { entry, before }
    },
    valuesNow,
    /** Collects all values that are possible between now and `end`. */
    observe() {
      const values = valuesNow()
      observed.add(values)
      return { values, end: () => void observed.delete(values) }
    },
    /** The two ids of a row that certainly has the value, and that was not returned before. */
    takeCertain(kind: string, value: string): [number, number] {
      const isCertain = ([key, { possible }]: [string, Entry]) =>
        key.startsWith(kind) && possible.size === 1 && possible.has(value) && !tampered.has(key)
      const [key] = [...entries].find(isCertain) ?? []
      if (!key) throw new Error(`the ledger knows no ${kind} that is surely ${value}`)
      tampered.add(key)
      return key.split(' ').slice(1).map(Number) as [number, number]
    },
  }
}
