import { readFileSync } from 'node:fs'

type Json = Record<string, unknown>

/** Recorded calls of an operation. `acts`: one request per kind of act. */
export type Example = {
  params?: Record<string, string | number>
  query?: Record<string, string>
  request?: Json
  acts?: Record<string, Json>
  response?: unknown
}

/** Examples by operation id, recorded from a real server by `examples.test.ts`. */
export const EXAMPLES: Readonly<Record<string, Example>> = JSON.parse(
  readFileSync(new URL('../../../contract/examples.json', import.meta.url), 'utf8'),
)
