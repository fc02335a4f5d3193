import { hash, randomBytes } from 'node:crypto'

/** The secret of a session or a mailed link: 256 random bits, as text. */
export const createToken = (): string => randomBytes(32).toString('base64url')

/** Tokens are stored as their SHA-256 only. */
export const hashToken = (token: string): Buffer => hash('sha256', token, 'buffer')
