import * as v from 'valibot'
import type { ClaimMapping, ClaimPath } from '#contract/company.ts'
import { normalizeText } from '#contract/normalize.ts'
import { PERSON } from '#contract/person.ts'
import type { Right } from '#contract/rights.ts'
import { EMPLOYEE_STATUS, type EmployeeStatus, email as emailAddress, HARMLESS_LINE } from '#contract/values.ts'

export type Claims = Record<string, unknown>

/** From the button to the way back. */
export const LOGIN_MINUTES = 10

/** Of the name that the provider gives a session: more counts as another one. */
export const MAX_SID = 500

/** Whom the company's provider has vouched for. */
export type CompanyPerson = {
  personnelNumber: string
  givenName: string
  familyName: string
  /** '' unless the provider, or the company, stands for it */
  email: string
  /** undefined: no claim says so */
  divisionId: number | undefined
  employeeStatus: EmployeeStatus | undefined
  /** null: claims give no rights here */
  rights: Right[] | null
}

function readClaim(claims: Claims, path: ClaimPath): unknown {
  if (typeof path === 'string' && path in claims) return claims[path]
  let value: unknown = claims
  for (const part of typeof path === 'string' ? path.split('.') : path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined
    value = Reflect.get(value, part)
  }
  return value
}

const isWord = (value: unknown): value is string | number => typeof value === 'string' || typeof value === 'number'
const readText = (claims: Claims, path: ClaimPath, max: number): string => {
  const value = readClaim(claims, path)
  const text = isWord(value) ? normalizeText(String(value)).trim() : ''
  return text.length <= max && HARMLESS_LINE.test(text) ? text : ''
}
const readWords = (claims: Claims, path: ClaimPath): string[] =>
  [readClaim(claims, path)].flat().filter(isWord).map(String)

/** What the mapping says of these words; what it does not name is as if it were not there. */
const mapped = <Value>(
  claims: Claims,
  field: { claim: ClaimPath; values: Record<string, Value> } | undefined,
): Value[] => {
  const words = field ? readWords(claims, field.claim) : []
  return Object.entries(field?.values ?? {}).flatMap(([word, value]) => (words.includes(word) ? [value] : []))
}

/** What the claims say of a person. See docs/decisions/0095. @returns null without a personnel number, or what `allowed` asks for */
export function readPerson(claims: Claims, mapping: ClaimMapping): CompanyPerson | null {
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
