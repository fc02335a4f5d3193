import * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import { right } from './rights.ts'
import { session } from './session.ts'
import { EMPLOYEE_STATUS, id } from './values.ts'

const name = v.pipe(v.string(), v.trim(), v.nonEmpty('must not be empty'))
/** The name of a claim; of one inside others `realm_access.roles`, or a list where a name has a dot itself. */
const claim = v.union([name, v.pipe(v.array(name), v.nonEmpty())], 'must be the name of a claim')
export type ClaimPath = v.InferOutput<typeof claim>

/** They have the company's login; everybody else keeps password or passkey. */
export const COMPANY_STATUSES = [EMPLOYEE_STATUS.Employee, EMPLOYEE_STATUS.Apprentice] as const
const companyStatus = v.picklist(COMPANY_STATUSES, `must be one of ${COMPANY_STATUSES.join(', ')}`)

/** Which claim of the company's provider says what of a person: the file that OIDC_MAPPING names (docs/operation.md). */
export const claimMapping = v.strictObject({
  scope: v.optional(name, 'openid profile email'),
  personnelNumber: claim,
  givenName: v.optional(claim, 'given_name'),
  familyName: v.optional(claim, 'family_name'),
  email: v.optional(claim, 'email'),
  /** the company gives out the addresses: they count without `email_verified`, too */
  isEmailTrusted: v.optional(v.boolean(), false),
  /** value of the claim: id of the division */
  division: v.optional(v.strictObject({ claim, values: v.record(v.string(), id) })),
  /** value of the claim: the status that goes with it, 1 (employee) for any other */
  employeeStatus: v.optional(v.strictObject({ claim, values: v.record(v.string(), companyStatus) })),
  /** value of the claim: rights at the desk, which take a passkey all the same */
  rights: v.optional(v.strictObject({ claim, values: v.record(v.string(), v.array(right)) })),
  /** only who has one of the values may log in */
  allowed: v.optional(v.strictObject({ claim, values: v.pipe(v.array(name), v.nonEmpty('must name a value')) })),
})
export type ClaimMapping = v.InferOutput<typeof claimMapping>

export const getCompanyLogin = endpoint('public', 'GET', '/api/session/company', {
  response: v.object({ isOn: v.boolean(), label: v.string() }),
})

export const startCompanyLogin = endpoint('public', 'GET', '/api/session/company/start', {
  query: v.object({
    /** a page of this portal, where the login is to end */
    next: v.optional(v.pipe(v.string(), v.maxLength(500), v.regex(/^(?:\/(?![/\\])[^\p{Cc}\\]*)?$/u)), ''),
    keepSession: v.optional(v.picklist(['true', 'false']), 'false'),
  }),
  redirects: true,
  response: null,
})

const answered = v.optional(v.pipe(v.string(), v.maxLength(4_000)))
export const returnFromCompany = endpoint('public', 'GET', '/api/session/company/return', {
  query: v.object({ state: answered, code: answered, iss: answered, error: answered }),
  redirects: true,
  response: null,
})

export const finishCompanyLogin = endpoint('public', 'POST', '/api/session/company', {
  body: v.object({}),
  response: session,
})

export const leaveCompany = endpoint('public', 'GET', '/api/session/company/end', { redirects: true, response: null })
