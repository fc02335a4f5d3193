import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import { profileRequestEntries, profileResponseEntries } from '../tables/person.ts'
import { apiCallOutcome, dateTimeValue, email, id, loginStatus, PASSWORD_MAX_LENGTH } from '../values.ts'
import { consentVersion } from './consents.ts'

export const division = v.object({ id, name: v.string(), status: v.literal('Ok'), message: v.string() })
export type Division = v.InferOutput<typeof division>

const password = v.pipe(v.string(), v.maxLength(PASSWORD_MAX_LENGTH))

/** User profile as sent by a client. Fields that do not apply to the employee status may be missing, null or empty. */
export const profileRequest = v.object({
  ...profileRequestEntries,
  /** version of the consent text for storing the insurance number; if missing, version 1, which older apps show */
  insuranceConsent: v.optional(consentVersion),
})
export type ProfileRequest = v.InferOutput<typeof profileRequest>

/** Profile as returned to its owner. Password fields are always empty, and 0 stands for a number that is not set. */
export const webUser = v.object({ ...profileResponseEntries, message: v.string(), status: loginStatus })
export type WebUser = v.InferOutput<typeof webUser>

export const listDivisions = endpoint('public', 'GET', '/api/division', { response: v.array(division) })

export const checkEmailPassword = endpoint('public', 'POST', '/api/webuser/emailpassword/check', {
  body: v.object({ email, password, confirmPassword: password }),
  response: apiCallOutcome,
})

export const register = endpoint('public', 'PUT', '/api/webuser/register', {
  body: profileRequest,
  response: apiCallOutcome,
})

const mailedToken = v.object({ token: v.pipe(v.string(), v.minLength(1), v.maxLength(200)) })

export const confirmAccount = endpoint('public', 'POST', '/api/webuser/confirm', {
  body: mailedToken,
  response: apiCallOutcome,
})

export const describeLink = endpoint('public', 'POST', '/api/webuser/link', {
  body: mailedToken,
  response: v.object({
    ...apiCallOutcome.entries,
    /** purpose of the link from an e-mail; '' if the link is invalid */
    purpose: v.picklist(['', 'activation', 'new-email', 'undo', 'merge']),
    /** initials of the registered name, such as `R. M.` */
    initials: v.string(),
    /** time of registration; null if the link is invalid */
    registeredAt: v.nullable(dateTimeValue),
  }),
})
export type MailedLink = v.InferOutput<typeof describeLink.response>

export const undoChange = endpoint('public', 'POST', '/api/webuser/undo', {
  body: mailedToken,
  response: apiCallOutcome,
})

export const resendEmail = endpoint('public', 'GET', '/api/webuser/resendemail/:userName', {
  params: v.object({ userName: email }),
  changesData: true,
  response: apiCallOutcome,
})

export const getWebUser = endpoint('session', 'GET', '/api/session/webuser', { response: webUser })
export const editWebUser = endpoint('session', 'PUT', '/api/webuser/edit', {
  body: profileRequest,
  response: apiCallOutcome,
})

/** Data that is retained after an account is deleted: what is retained, why, and until when. */
export const retainedDataItem = v.object({
  kind: v.picklist(['billing', 'participation', 'mail']),
  what: v.string(),
  why: v.string(),
  until: dateTimeValue,
})
export type RetainedDataItem = v.InferOutput<typeof retainedDataItem>

export const deleteAccount = endpoint('session', 'DELETE', '/api/webuser', {
  body: v.object({ password }),
  response: v.object({ ...apiCallOutcome.entries, kept: v.array(retainedDataItem) }),
})
