import * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import { answeredEntries, sentEntries } from './person.ts'
import { PASSWORD_MAX_LENGTH } from './session.ts'
import { dateTimeValue, email, id, loginStatus, outcome } from './values.ts'

export const division = v.object({ id, name: v.string(), status: v.literal('Ok'), message: v.string() })
export type Division = v.InferOutput<typeof division>

const password = v.pipe(v.string(), v.maxLength(PASSWORD_MAX_LENGTH))

/** A web user as sent: what a status does not use may be missing, null or empty. */
export const webUserInput = v.object(sentEntries)
export type WebUserInput = v.InferOutput<typeof webUserInput>

/** A stored profile. Passwords are always empty; a number of 0 means not given. */
export const webUser = v.object({ ...answeredEntries, message: v.string(), status: loginStatus })
export type WebUser = v.InferOutput<typeof webUser>

export const listDivisions = endpoint('GET', '/api/division', {
  access: 'public',
  summary: 'The divisions of the company',
  response: v.array(division),
})

export const checkEmailPassword = endpoint('POST', '/api/webuser/emailpassword/check', {
  access: 'public',
  summary: 'First step of the registration: Duplicate for a registered e-mail, Failed for an insecure password',
  body: v.object({ email, password, confirmPassword: password }),
  response: outcome,
})

export const register = endpoint('PUT', '/api/webuser/register', {
  access: 'public',
  summary: 'Registers a web user and mails the activation link',
  body: webUserInput,
  response: outcome,
})

const mailedToken = v.object({ token: v.pipe(v.string(), v.minLength(1), v.maxLength(200)) })

export const confirmAccount = endpoint('POST', '/api/webuser/confirm', {
  access: 'public',
  summary: 'Opens the link of an activation mail, or of the mail to a new e-mail address',
  body: mailedToken,
  response: outcome,
})

export const describeLink = endpoint('POST', '/api/webuser/link', {
  access: 'public',
  summary: 'What the link of a mail would do, without doing it; NotFound when it is no longer valid',
  body: mailedToken,
  response: v.object({
    ...outcome.entries,
    /** '' when the link is not valid */
    purpose: v.picklist(['', 'activation', 'new-email', 'undo']),
    /** of the person in whose name the account was registered, as in `R. M.` */
    initials: v.string(),
    /** when the account was registered; null when the link is not valid */
    registeredAt: v.nullable(dateTimeValue),
  }),
})
export type MailedLink = v.InferOutput<typeof describeLink.response>

export const undoChange = endpoint('POST', '/api/webuser/undo', {
  access: 'public',
  summary:
    '"This was not me": ends an unproved registration or e-mail change; the link of a notice restores the address, ends all sessions and the password, and mails a new one',
  body: mailedToken,
  response: outcome,
})

export const resendEmail = endpoint('GET', '/api/webuser/resendemail/:userName', {
  access: 'public',
  summary: 'Mails the activation link again; Failed within a minute of the last one',
  params: v.object({ userName: email }),
  response: outcome,
})

export const getWebUser = endpoint('GET', '/api/session/webuser', {
  access: 'session',
  summary: 'The profile of the user',
  response: webUser,
})

export const editWebUser = endpoint('PUT', '/api/webuser/edit', {
  access: 'session',
  summary:
    'Saves the profile; a new e-mail counts only after the link sent to it was opened. It needs the present password in `password`, unless the session was started within the hour: else WrongPWorUser, and nothing is saved',
  body: webUserInput,
  response: outcome,
})

/** Something that stays of a deleted account: what, why, and the day on which it goes. */
export const keptData = v.object({
  kind: v.picklist(['billing', 'participation', 'mail']),
  what: v.string(),
  why: v.string(),
  until: dateTimeValue,
})
export type KeptData = v.InferOutput<typeof keptData>

export const deleteAccount = endpoint('DELETE', '/api/webuser', {
  access: 'session',
  summary:
    'Deletes the account of the user and says what stays, why and until when; running bookings have to be cancelled first',
  body: v.object({ password }),
  response: v.object({ ...outcome.entries, kept: v.array(keptData) }),
})
