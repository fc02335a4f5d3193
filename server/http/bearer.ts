import type { BearerProblem } from './problems.ts'

/** A service token in the header `Authorization` (RFC 6750 §2.1); undefined where there is none. */
export const bearerIn = (authorization: string | undefined): string | undefined =>
  /^Bearer ([\w-]{40,100})$/i.exec(authorization ?? '')?.[1]

/** The header `WWW-Authenticate` of a refused service token (RFC 6750 §3). */
export const challengeOf = ({ error, scope }: BearerProblem): { 'WWW-Authenticate': string } => ({
  'WWW-Authenticate': `Bearer error="${error}"${scope ? `, scope="${scope}"` : ''}`,
})
