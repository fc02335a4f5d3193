import { hash, randomBytes } from 'node:crypto'

/** Generates a secret for a session or a link sent by e-mail: 256 random bits, encoded as base64url. */
export const createToken = (): string => randomBytes(32).toString('base64url')

/** Hashes a token for storage; the token itself is never stored. */
export const hashToken = (token: string): Buffer => hash('sha256', token, 'buffer')
