import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import { CONTROL_CHARACTERS, EMPLOYEE_STATUS, id, right } from '../values.ts'
import { session } from './session.ts'

const name = v.pipe(v.string(), v.trim(), v.nonEmpty('must not be empty'))
/** Name of a claim. A nested claim is written as `realm_access.roles`, or as a list if a name contains a dot. */
const claim = v.union([name, v.pipe(v.array(name), v.nonEmpty())], 'must be the name of a claim')
export type ClaimPath = v.InferOutput<typeof claim>

/** Employee statuses that log in via single sign-on. All others use a password or passkey. */
export const COMPANY_STATUSES = [EMPLOYEE_STATUS.Employee, EMPLOYEE_STATUS.Apprentice] as const
const companyStatus = v.picklist(COMPANY_STATUSES, `must be one of ${COMPANY_STATUSES.join(', ')}`)

/**
 * Configuration file that maps claims of the OpenID Connect provider to profile fields. Its path is set by OIDC_MAPPING
 * (docs/operation/login.md).
 */
export const claimMapping = v.strictObject({
  scope: v.optional(name, 'openid profile email'),
  personnelNumber: claim,
  givenName: v.optional(claim, 'given_name'),
  familyName: v.optional(claim, 'family_name'),
  email: v.optional(claim, 'email'),
  /** trusts e-mail addresses even without the claim `email_verified`, because the company assigns them */
  isEmailTrusted: v.optional(v.boolean(), false),
  /** maps claim values to division ids */
  division: v.optional(v.strictObject({ claim, values: v.record(v.string(), id) })),
  /** maps claim values to the employee status; any other value maps to 1 (employee) */
  employeeStatus: v.optional(v.strictObject({ claim, values: v.record(v.string(), companyStatus) })),
  /** maps claim values to rights in the office UI; using them still requires a passkey */
  rights: v.optional(v.strictObject({ claim, values: v.record(v.string(), v.array(right)) })),
  /** restricts login to people with one of these claim values */
  allowed: v.optional(v.strictObject({ claim, values: v.pipe(v.array(name), v.nonEmpty('must name a value')) })),
})
export type ClaimMapping = v.InferOutput<typeof claimMapping>

export const getCompanyLogin = endpoint('public', 'GET', '/api/session/company', {
  response: v.object({ isOn: v.boolean(), label: v.string() }),
})

export const startCompanyLogin = endpoint('public', 'GET', '/api/session/company/start', {
  query: v.object({
    /** page of this portal to open after login */
    next: v.optional(
      v.pipe(
        v.string(),
        v.maxLength(500),
        v.regex(new RegExp(String.raw`^(?:\/(?![/\\])[^${CONTROL_CHARACTERS}\\]*)?$`, 'u')),
      ),
      '',
    ),
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
