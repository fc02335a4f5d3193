import { hashPassword } from '#server/features/session/passwords.ts'

/** A password that the rules accept. */
export const PASSWORD = 'Kaffee-Tasse-77'
/** Hashed only once, because it takes a while. */
export const passwordHash = await hashPassword(PASSWORD)
