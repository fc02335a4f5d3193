import { hash, randomBytes } from 'node:crypto'

/** Generates a secret for sessions and mailed links: 256 random bits, base64url. */
export const createToken = (): string => randomBytes(32).toString('base64url')

/** Hash of a token; the token itself is never stored. */
export const hashToken = (token: string): Buffer => hash('sha256', token, 'buffer')
