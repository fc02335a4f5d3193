import type { BearerProblem } from './problems.ts'

/** Service token from the `Authorization` header (RFC 6750 §2.1); undefined if missing. */
export const bearerIn = (authorization: string | undefined): string | undefined =>
  /^Bearer ([\w-]{40,100})$/i.exec(authorization ?? '')?.[1]

/** `WWW-Authenticate` header for a rejected service token (RFC 6750 §3). */
export const challengeOf = ({ error, scopes }: BearerProblem): { 'WWW-Authenticate': string } => ({
  'WWW-Authenticate': `Bearer error="${error}"${scopes.length > 0 ? `, scope="${scopes.join(' ')}"` : ''}`,
})
