import { invalidField } from './problems.ts'

/** Whether PostgreSQL can store the text: `text` and `jsonb` contain no NUL, `jsonb` no unpaired surrogates either. */
const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed()

/** Deeper values are refused: no request needs them, and checking them would take long. */
const DEEPEST = 50

/**
 * Path of the first value or property name that cannot be stored, or is nested too deeply, such as `rooms.0.name`; null if
 * there is none.
 */
function findUnstorable(value: unknown, depth = 0): string[] | null {
  if (typeof value === 'string') return isStorable(value) ? null : []
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return null
  if (depth === DEEPEST) return []
  for (const [key, inner] of Object.entries(value)) {
    if (!isStorable(key)) return []
    const found = findUnstorable(inner, depth + 1)
    if (found) return [key, ...found]
  }
  return null
}

/**
 * Rejects texts that the database cannot store. All texts of a request pass here, because the patterns of single fields
 * would have to repeat the rule, and a published pattern cannot exclude unpaired surrogates for regular expressions
 * without the flag `u`.
 * @throws HttpProblem 400 naming the field, or `field` for the value itself
 */
export function requireStorableText(value: unknown, field = 'body'): void {
  const path = findUnstorable(value)
  if (path) throw invalidField(path.join('.') || field)
}
