const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** Exported data as an indented text that a person can read: one line a value, a blank line between entries of a list. */
export function toReadableText(value: unknown, depth = 0): string {
  const indent = '  '.repeat(depth)
  if (Array.isArray(value)) {
    return value.length === 0 ? `${indent}–` : value.map(entry => toReadableText(entry, depth)).join(`\n${indent}·\n`)
  }
  if (!isObject(value)) return `${indent}${value === null || value === '' ? '–' : String(value)}`
  return Object.entries(value)
    .map(([name, entry]) =>
      isObject(entry)
        ? `${indent}${name}:\n${toReadableText(entry, depth + 1)}`
        : `${indent}${name}: ${toReadableText(entry)}`,
    )
    .join('\n')
}
