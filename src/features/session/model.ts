import type { Credentials, Session } from '#contract/endpoints/session.ts'

type FieldError = 'required' | 'length' | 'mismatch'
type Errors<Field extends string> = { [Name in Field]?: FieldError }

const lengthError = (text: string, min: number, max: number) => {
  if (text === '') return 'required'
  return text.length < min || text.length > max ? 'length' : null
}

function found<Field extends string>(entries: [Field, FieldError | null][]): Errors<Field> {
  const errors: { [Name in Field]?: FieldError } = {}
  for (const [field, error] of entries) if (error !== null) errors[field] = error
  return errors
}

export const loginFormErrors = ({ userName, password }: Pick<Credentials, 'userName' | 'password'>) =>
  found([
    ['userName', lengthError(userName.trim(), 2, 50)],
    ['password', lengthError(password, 4, 50)],
  ])

/** Problems with a new password that the client can detect. The server checks the password strength. */
export const newPasswordErrors = ({ password, confirmPassword }: { password: string; confirmPassword: string }) =>
  found([
    ['password', lengthError(password, 6, 50)],
    ['confirmPassword', lengthError(confirmPassword, 6, 50) ?? (confirmPassword === password ? null : 'mismatch')],
  ])

/** Whether a path is on this origin; prevents open redirects after the login. */
const isOwnPath = (path: string | null): path is string => path !== null && /^\/(?![/\\])/.test(path)

/**
 * Route after a login: first any required steps, such as changing the password, then the requested path.
 * @param wanted path that required the login
 */
export function routeAfterLogin(
  { isPasswordToChange, isProfileToComplete }: Pick<Session, 'isPasswordToChange' | 'isProfileToComplete'>,
  wanted: string | null,
): string {
  if (isPasswordToChange)
    return isOwnPath(wanted) ? `/password-change?next=${encodeURIComponent(wanted)}` : '/password-change'
  if (isOwnPath(wanted)) return wanted
  return isProfileToComplete ? '/edit' : '/'
}

/** Route after a required password change. @param search query string */
export function routeAfterPasswordChange(search: string): string {
  const wanted = new URLSearchParams(search).get('next')
  return isOwnPath(wanted) ? wanted : '/'
}

/** E-mail address of a registration that has just been submitted, read from the history state. */
export const registeredEmailOf = (state: unknown): string | null =>
  typeof state === 'object' && state !== null && 'registered' in state && typeof state.registered === 'string'
    ? state.registered
    : null
