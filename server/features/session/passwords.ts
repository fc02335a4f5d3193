import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { createTurns, type Lane } from '#server/throttle/turns.ts'

/** argon2id (the library's default) with the parameters of OWASP's password storage sheet: 19 MiB, two passes, one lane. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const PREFIX = '$argon2id$v=19$m=19456,t=2,p=1$'

const base64 = (bytes: number) => randomBytes(bytes).toString('base64').replace(/=+$/, '')
/** Takes as long to verify as a real hash, and no password fits it. */
const DUMMY_HASH = `${PREFIX}${base64(16)}$${base64(32)}`

// More at once than there are cores would only take memory, and the database its processor.
const turns = createTurns({
  atOnce: availableParallelism(),
  patienceMs: 25_000,
  perLane: 200,
  inAll: 2_000,
})

/** The import hashes thousands at once; nobody else's queue has to hold them. */
const ownTurns = createTurns({
  atOnce: availableParallelism(),
  patienceMs: 2 ** 31 - 1,
  perLane: Number.POSITIVE_INFINITY,
  inAll: Number.POSITIVE_INFINITY,
})

/** @param lane who has to wait their turn; null: the operator's own work, which has no bound */
const inTurn = <Result>(lane: Lane | null, work: () => Promise<Result>): Promise<Result> =>
  lane ? turns.run(lane, work) : ownTurns.run({ name: 'operator' }, work)

/** Devices differ in how they type an umlaut: as one character or as letter and dots. */
const normalized = (password: string) => password.normalize('NFC')

/** @returns an encoded argon2id hash */
export const hashPassword = (password: string, lane: Lane | null = null): Promise<string> =>
  inTurn(lane, () => hash(normalized(password), PARAMETERS))

/** Whether a password fits a hash; without a hash it takes as long and is false. */
export async function verifyPassword(
  passwordHash: string | null,
  password: string,
  lane: Lane | null = null,
): Promise<boolean> {
  const fits = await inTurn(lane, () => verify(passwordHash ?? DUMMY_HASH, normalized(password)))
  return fits && passwordHash !== null
}

/** Whether a hash was made with other parameters than today's. */
export const isHashOutdated = (passwordHash: string): boolean => !passwordHash.startsWith(PREFIX)

/** Without what is mistaken for something else when typed from paper: 0, 1, i, l, o. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789'

/** A password to be mailed: 79 random bits in four groups, as in `k4mt-92pw-xyzt-bq3d`. */
export function createMailedPassword(): string {
  const group = () => Array.from({ length: 4 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
  return [group(), group(), group(), group()].join('-')
}

/** A mailed password is random and short-lived, so a plain SHA-256 keeps it safe. Case, blanks and hyphens do not count. */
export const hashMailedPassword = (password: string): string =>
  createHash('sha256').update(password.toLowerCase().replace(/[\s-]/g, '')).digest('hex')

/** @param mailedHashes one, or two with a blank between them when the mail was sent twice */
export const fitsMailedPassword = (mailedHashes: string | null, password: string): boolean => {
  const hash = Buffer.from(hashMailedPassword(password))
  return mailedHashes?.split(' ').some(one => timingSafeEqual(Buffer.from(one), hash)) ?? false
}
