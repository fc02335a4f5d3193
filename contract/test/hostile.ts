import fc from 'fast-check'

/** Information that no response may leak: stack traces, SQL, file paths and internal names. */
export const LEAK =
  /\bat \S+ \(|\.ts\b|node_modules|\/work\/|\/tmp\/|postgres|syntax error|violates|\bselect\b.*\bfrom\b|valibot|ECONN/i

/** Texts that no form would send. */
export const hostileText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.constantFrom(
    '',
    ' ',
    '\0',
    'a\0b',
    '\ud800',
    'a\ud800b',
    '💥'.repeat(40),
    'x'.repeat(20_000),
    "' or 1=1 --",
    '{{name}}',
    '<script>',
    '../../etc/passwd',
    '%s%n',
    '[object Object]',
    'function Object() { [native code] }',
    'function toString() { [native code] }',
    'null',
    'a@b.cd',
    '\r\nSet-Cookie: a=b',
    '2026-02-30',
  ),
)

/** Numbers at and beyond every limit. */
export const hostileNumber = fc.oneof(
  fc.constantFrom(0, -1, 1.5, 1e308, -1e308, 2 ** 31, 2 ** 31 - 1, 2 ** 53, 1e-320, -0),
  fc.integer(),
  fc.double({ noNaN: true }),
)

/** Values of unexpected types, where a text, number or list is required. */
export const hostileValue = fc.oneof(
  hostileText,
  hostileNumber,
  fc.constantFrom<unknown>(null, true, false, [], {}, [[[[[]]]]], { id: 1 }, ['a'], { __proto__: null }),
  fc.jsonValue({ maxDepth: 4 }),
)

/** Copies of a valid text that PostgreSQL cannot store: with NUL, or with an unpaired surrogate, which JSON can contain. */
const unstorableTexts = (text: string): string[] => [`\0${text}`, `${text}\0`, `${text}\ud800`, `\udc00${text}`]

/**
 * Copies of a valid value in each of which one text cannot be stored.
 * @param names properties that the value may have in addition
 */
export function unstorableCopies(value: unknown, names: readonly string[] = []): unknown[] {
  if (typeof value === 'string') return unstorableTexts(value)
  if (typeof value !== 'object' || value === null) return []
  const missing = names.filter(name => !(name in value)).map(name => [name, 'a'] as const)
  return [...Object.entries(value), ...missing].flatMap(([key, inner]) =>
    unstorableCopies(inner).map(copy =>
      Array.isArray(value) ? value.with(Number(key), copy) : { ...value, [key]: copy },
    ),
  )
}

/** Invalid JSON, or JSON that may confuse a parser. */
export const hostileJson = fc.constantFrom(
  '[',
  '{"a":1',
  '{"a":1}}',
  '{"id":1e999}',
  '{"id":1,"id":2}',
  '['.repeat(10_000),
  '{"a":'.repeat(9_000),
  '{"__proto__":{"id":1}}',
  '{"constructor":{"prototype":{"id":1}}}',
  '\ufeff{}',
  '{"id":01}',
  'NaN',
  '"\\ud800"',
)

/** @returns the path with its parameters replaced by these texts */
export function fillPath(path: string, texts: string[]): string {
  let next = 0
  return path.replace(/:\w+/g, () => encodeURIComponent(texts[next++ % texts.length]?.toWellFormed() ?? ''))
}
