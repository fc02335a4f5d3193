import { readFileSync } from 'node:fs'
import * as v from 'valibot'
import { type ClaimMapping, claimMapping } from '#contract/company.ts'
import { factsOf } from '#server/errors/error-facts.ts'
import { StartError } from '#server/errors/start-error.ts'

/** @throws StartError naming the file and the invalid field */
export function readClaimMapping(path: string): ClaimMapping {
  const fail = (problem: string, cause?: unknown) => new StartError(`OIDC_MAPPING: ${path}: ${problem}`, { cause })
  let value: unknown
  try {
    value = JSON.parse(readFileSync(path, 'utf8'))
  } catch (cause) {
    const { code, message } = factsOf(cause)
    throw fail(code ? `cannot be read (${code})` : `is no JSON (${message})`, cause)
  }
  const result = v.safeParse(claimMapping, value)
  if (result.success) return result.output
  const [issue] = result.issues
  const field = v.getDotPath(issue)
  if (issue.type === 'strict_object') throw fail(`${field} is ${issue.expected === 'never' ? 'unknown' : 'missing'}`)
  throw fail(
    `${field ?? 'it'} ${/^(?:must|is) /.test(issue.message) ? issue.message : `does not fit: ${issue.message}`}`,
  )
}
