/** A piece of SQL with its values kept apart; made by `sql`, sent by a Database. */
export class SqlFragment {
  readonly texts: readonly string[]
  readonly values: readonly unknown[]

  constructor(texts: readonly string[], values: readonly unknown[]) {
    this.texts = texts
    this.values = values
  }

  /** The statement as PostgreSQL takes it, values replaced by $1, $2, … */
  get text(): string {
    return this.texts.reduce((text, part, index) => `${text}$${index}${part}`)
  }
}

/**
 * SQL with parameters: sql`select … where id = ${id}`. A fragment among the values is woven in; every other value is sent
 * apart from the text. Arrays become PostgreSQL arrays (`= any(${ids})`), objects JSON; a JSON array needs JSON.stringify.
 * @throws TypeError for undefined, which is a missing value and never meant as null.
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

/** Fragments one after the other, by default with commas between: sql.join(conditions, sql` and `). */
sql.join = (fragments: readonly SqlFragment[], separator: SqlFragment = sql`, `): SqlFragment => {
  const [first = sql.empty, ...rest] = fragments
  return rest.reduce((joined, fragment) => sql`${joined}${separator}${fragment}`, first)
}

/** Text taken as it is. Only for text written by us, never for input. */
sql.raw = (text: string): SqlFragment => new SqlFragment([text], [])

/** Nothing: for the branch of a condition that adds no SQL. */
sql.empty = new SqlFragment([''], [])
