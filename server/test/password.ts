import { hashPassword } from '#server/features/session/passwords.ts'

/** One that the rules accept. */
export const PASSWORD = 'Kaffee-Tasse-77'
/** Made once: it takes a while. */
export const passwordHash = await hashPassword(PASSWORD)
