import { RETENTION_LIMITS, type RetentionLimit } from '#contract/tables/data-map.ts'

/** SQL text with separate parameter values, created by `sql` and executed by a Database. */
export class SqlFragment {
  readonly texts: readonly string[]
  readonly values: readonly unknown[]

  constructor(texts: readonly string[], values: readonly unknown[]) {
    this.texts = texts
    this.values = values
  }

  /** SQL text with placeholders $1, $2, … */
  get text(): string {
    return this.texts.reduce((text, part, index) => `${text}$${index}${part}`)
  }
}

/**
 * Tagged template for parameterized SQL: sql`select … where id = ${id}`. Embedded fragments are inlined; all other
 * values become parameters. Arrays become PostgreSQL arrays (`= any(${ids})`), objects JSON; a JSON array needs
 * JSON.stringify.
 * @throws TypeError for undefined, to distinguish a missing value from null
 */
export function sql(strings: readonly string[], ...inputs: unknown[]): SqlFragment {
  const texts = [strings[0] ?? '']
  const values: unknown[] = []
  const append = (text: string) => texts.push((texts.pop() ?? '') + text)
  inputs.forEach((input, index) => {
    if (input === undefined) throw new TypeError(`undefined after "${strings[index]?.trim().slice(-60)}"`)
    if (input instanceof SqlFragment) {
      append(input.texts[0] ?? '')
      texts.push(...input.texts.slice(1))
      values.push(...input.values)
    } else {
      values.push(input)
      texts.push('')
    }
    append(strings[index + 1] ?? '')
  })
  return new SqlFragment(texts, values)
}

/** Joins fragments, by default with commas: sql.join(conditions, sql` and `). */
sql.join = (fragments: readonly SqlFragment[], separator: SqlFragment = sql`, `): SqlFragment => {
  const [first = sql.empty, ...rest] = fragments
  return rest.reduce((joined, fragment) => sql`${joined}${separator}${fragment}`, first)
}

/** Inserts text without escaping. Use it only for constants, never for user input (SQL injection). */
sql.raw = (text: string): SqlFragment => new SqlFragment([text], [])

/** Empty fragment, for conditional parts of a statement. */
sql.empty = new SqlFragment([''], [])

export type TimedRetentionEnd = {
  [Name in RetentionLimit]: (typeof RETENTION_LIMITS)[Name] extends null ? never : Name
}[RetentionLimit]

/** Formats a retention period as a PostgreSQL `interval`. */
export const retentionIntervalOf = (ending: TimedRetentionEnd): string =>
  `${RETENTION_LIMITS[ending].count} ${RETENTION_LIMITS[ending].unit}`
