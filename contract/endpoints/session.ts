import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import {
  apiCallOutcome,
  CONTROL_CHARACTERS,
  dateTimeValue,
  email,
  employeeStatus,
  failureCode,
  id,
  idOrZero,
  idParams,
  integerUpTo,
  loginStatus,
  PASSWORD_MAX_LENGTH,
  PASSWORD_MIN_LENGTH_AT_LOGIN,
  right,
} from '../values.ts'

export const session = v.object({
  /** session token; empty unless the status is `Ok` */
  id: v.string(),
  /** id of the user; 0 if not logged in */
  webUserId: idOrZero,
  userName: v.string(),
  givenName: v.string(),
  familyName: v.string(),
  isInstructor: v.boolean(),
  keepSession: v.boolean(),
  /** employee status; 0 if unknown or not logged in */
  employeeStatus: v.union([employeeStatus, v.literal(0)]),
  isDivisionToSet: v.boolean(),
  /** whether the profile lacks required fields, which can happen after an import */
  isProfileToComplete: v.boolean(),
  hasUnreadMessages: v.boolean(),
  /** whether the user logged in with a temporary password that was sent by e-mail and must be changed */
  isPasswordToChange: v.boolean(),
  /** rights in the office UI; empty for people outside the department */
  rights: v.optional(v.array(right), []),
  /** whether the session was created via single sign-on, so that logging out also ends the session at the provider */
  isByCompany: v.optional(v.literal(true)),
  status: loginStatus,
  message: v.string(),
  code: failureCode,
})
export type Session = v.InferOutput<typeof session>

/**
 * Session of a user who is not logged in. A session stored in the browser is valid only if each of these properties has
 * a value of the same type.
 */
export const ANONYMOUS_SESSION: Session = {
  id: '',
  webUserId: 0,
  userName: '',
  givenName: '',
  familyName: '',
  isInstructor: false,
  keepSession: false,
  employeeStatus: 0,
  isDivisionToSet: false,
  isProfileToComplete: false,
  hasUnreadMessages: false,
  isPasswordToChange: false,
  rights: [],
  status: 'Ok',
  message: '',
}

const newPassword = v.pipe(v.string(), v.maxLength(PASSWORD_MAX_LENGTH))

export const credentials = v.object({
  userName: v.pipe(
    v.string(),
    v.trim(),
    v.minLength(2),
    v.maxLength(50),
    v.regex(new RegExp(`^[^${CONTROL_CHARACTERS}]+$`, 'u')),
  ),
  password: v.pipe(v.string(), v.minLength(PASSWORD_MIN_LENGTH_AT_LOGIN), v.maxLength(PASSWORD_MAX_LENGTH)),
  keepSession: v.optional(v.boolean(), false),
})
export type Credentials = v.InferOutput<typeof credentials>

export const passwordChange = v.object({ password: newPassword, confirmPassword: newPassword })
export const passwordCheckResult = v.object({
  changed: v.boolean(),
  /** password strength from 0 to 4; 2 or more is accepted */
  passwordScore: integerUpTo(4),
})
export type PasswordCheckResult = v.InferOutput<typeof passwordCheckResult>

export const login = endpoint('public', 'PUT', '/api/session', { body: credentials, response: session })

export const checkSession = endpoint('public', 'GET', '/api/session', {
  query: v.object({ sessionToken: v.optional(v.pipe(v.string(), v.maxLength(200))) }),
  response: session,
})

export const ownSession = v.object({
  id,
  /** browser and operating system, such as `Firefox, Windows`; empty if unknown */
  device: v.string(),
  startedAt: dateTimeValue,
  /** rounded to the hour */
  lastUsedAt: dateTimeValue,
  isKept: v.boolean(),
  /** whether this is the session of the current request */
  isCurrent: v.boolean(),
})
export type OwnSession = v.InferOutput<typeof ownSession>

export const listSessions = endpoint('session', 'GET', '/api/session/list', { response: v.array(ownSession) })
export const endOtherSessions = endpoint('session', 'DELETE', '/api/session/others', { response: apiCallOutcome })
export const endSession = endpoint('session', 'DELETE', '/api/session/:id', {
  params: idParams,
  response: apiCallOutcome,
})
export const logout = endpoint('session', 'DELETE', '/api/session', {
  isOpenBeforePassword: true,
  response: apiCallOutcome,
})

export const changePassword = endpoint('session', 'PUT', '/api/session/password', {
  isOpenBeforePassword: true,
  body: passwordChange,
  response: passwordCheckResult,
})

export const resetPassword = endpoint('public', 'PUT', '/api/session/password/reset', {
  body: v.object({ userName: email }),
  response: apiCallOutcome,
})
