import * as v from 'valibot'
import type { ClaimMapping, ClaimPath } from '#contract/endpoints/company.ts'
import { normalizeText } from '#contract/normalize.ts'
import { PERSON } from '#contract/tables/person.ts'
import type { Right } from '#contract/values.ts'
import {
  EMPLOYEE_STATUS,
  type EmployeeStatus,
  email as emailAddress,
  SINGLE_LINE_TEXT_PATTERN,
} from '#contract/values.ts'

export type TokenClaims = Record<string, unknown>

/** Maximum duration of a login in minutes. */
export const LOGIN_STATE_MINUTES = 10

/** Maximum length of a provider's session id; longer ids are truncated. */
export const MAX_SESSION_ID_LENGTH = 500

/** Person whom the provider has authenticated. */
export type CompanyPerson = {
  personnelNumber: string
  givenName: string
  familyName: string
  /** '' unless the provider has verified the e-mail address or the configuration trusts it */
  email: string
  /** undefined: the token contains no such claim */
  divisionId: number | undefined
  employeeStatus: EmployeeStatus | undefined
  /** null if rights are not managed by claims */
  rights: Right[] | null
}

function readClaim(claims: TokenClaims, path: ClaimPath): unknown {
  if (typeof path === 'string' && path in claims) return claims[path]
  let value: unknown = claims
  for (const part of typeof path === 'string' ? path.split('.') : path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined
    value = Reflect.get(value, part)
  }
  return value
}

const isWord = (value: unknown): value is string | number => typeof value === 'string' || typeof value === 'number'
const readText = (claims: TokenClaims, path: ClaimPath, max: number): string => {
  const value = readClaim(claims, path)
  const text = isWord(value) ? normalizeText(String(value)).trim() : ''
  return text.length <= max && SINGLE_LINE_TEXT_PATTERN.test(text) ? text : ''
}
const readWords = (claims: TokenClaims, path: ClaimPath): string[] =>
  [readClaim(claims, path)].flat().filter(isWord).map(String)

/** Maps the values of a claim, ignoring values without a mapping. */
const mapped = <Value>(
  claims: TokenClaims,
  field: { claim: ClaimPath; values: Record<string, Value> } | undefined,
): Value[] => {
  const words = field ? readWords(claims, field.claim) : []
  return Object.entries(field?.values ?? {}).flatMap(([word, value]) => (words.includes(word) ? [value] : []))
}

/**
 * Mapped claims that the provider left out of the token. Entra ID names a claim with more than 200 groups in
 * `_claim_names` instead (OpenID Connect Core §5.6.2).
 */
export function listOmittedClaims(claims: TokenClaims, mapping: ClaimMapping): string[] {
  const { allowed, rights, division, employeeStatus } = mapping
  const used = [allowed, rights, division, employeeStatus].flatMap(field => (field ? [field.claim] : []))
  const names = used.map(path => (typeof path === 'string' ? path : (path[0] ?? '')))
  const { _claim_names: omitted } = claims
  return typeof omitted === 'object' && omitted !== null ? names.filter(name => Object.hasOwn(omitted, name)) : []
}

/**
 * Reads a person from the claims. See docs/decisions/0095.
 * @returns null if the personnel number is missing or `allowed` does not match
 */
export function parsePersonClaims(claims: TokenClaims, mapping: ClaimMapping): CompanyPerson | null {
  const { allowed } = mapping
  if (allowed && !readWords(claims, allowed.claim).some(word => allowed.values.includes(word))) return null
  const personnelNumber = readText(claims, mapping.personnelNumber, PERSON.personnelNumber.max)
  if (personnelNumber === '') return null
  const email = v.safeParse(emailAddress, readClaim(claims, mapping.email))
  const isEmailProved = mapping.isEmailTrusted || claims.email_verified === true
  return {
    personnelNumber,
    givenName: readText(claims, mapping.givenName, PERSON.givenName.max),
    familyName: readText(claims, mapping.familyName, PERSON.familyName.max),
    email: email.success && isEmailProved ? email.output : '',
    divisionId: mapped(claims, mapping.division)[0],
    employeeStatus: mapping.employeeStatus
      ? (mapped(claims, mapping.employeeStatus)[0] ?? EMPLOYEE_STATUS.Employee)
      : undefined,
    rights: mapping.rights ? [...new Set(mapped(claims, mapping.rights).flat())] : null,
  }
}
