import type { Credentials, Session } from '#contract/session.ts'

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

export const loginErrors = ({ userName, password }: Pick<Credentials, 'userName' | 'password'>) =>
  found([
    ['userName', lengthError(userName.trim(), 2, 50)],
    ['password', lengthError(password, 4, 50)],
  ])

/** What is wrong with a new password before the server judges it: it need not be secure here. */
export const newPasswordErrors = ({ password, confirmPassword }: { password: string; confirmPassword: string }) =>
  found([
    ['password', lengthError(password, 6, 50)],
    ['confirmPassword', lengthError(confirmPassword, 6, 50) ?? (confirmPassword === password ? null : 'mismatch')],
  ])

/** A path of this portal; anything else would lead a reader away after the login. */
const isOwnPath = (path: string | null): path is string => path !== null && /^\/(?![/\\])/.test(path)

/** To what has to be done first, else where the person wanted to. @param wanted the path that asked for the login */
export function routeAfterLogin(
  { isPasswordToChange, isProfileToComplete }: Pick<Session, 'isPasswordToChange' | 'isProfileToComplete'>,
  wanted: string | null,
): string {
  if (isPasswordToChange)
    return isOwnPath(wanted) ? `/password-change?next=${encodeURIComponent(wanted)}` : '/password-change'
  if (isOwnPath(wanted)) return wanted
  return isProfileToComplete ? '/edit' : '/'
}

/** Where somebody goes on who had to choose a password first. @param search of the address */
export function routeAfterChange(search: string): string {
  const wanted = new URLSearchParams(search).get('next')
  return isOwnPath(wanted) ? wanted : '/'
}

/** The e-mail that a registration has just been sent for, out of the history entry that it leads to. */
export const registeredIn = (state: unknown): string | null =>
  typeof state === 'object' && state !== null && 'registered' in state && typeof state.registered === 'string'
    ? state.registered
    : null
