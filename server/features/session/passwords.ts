import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { createFairQueue, type QueueLane } from '#server/platform/throttle/fair-queue.ts'

const FILE = new URL('./common-passwords.bin', import.meta.url)

/** 32-bit fingerprint with a false positive rate of about 1 in 30,000. */
export const passwordFingerprint = (word: string): number => createHash('sha256').update(word).digest().readUInt32BE(0)

/**
 * Loads the common passwords as sorted four-byte fingerprints (see scripts/make-common-passwords.ts and
 * docs/decisions/0006).
 */
export function readCommonPasswords(): (word: string) => boolean {
  const bytes = readFileSync(FILE)
  const sorted = Uint32Array.from({ length: bytes.length / 4 }, (_, index) => bytes.readUInt32BE(index * 4))
  return word => {
    const wanted = passwordFingerprint(word)
    let [low, high] = [0, sorted.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((sorted[middle] ?? 0) < wanted) low = middle + 1
      else high = middle
    }
    return sorted[low] === wanted
  }
}

/**
 * Parameters for argon2id (the library's default) from the OWASP Password Storage Cheat Sheet: 19 MiB, two iterations,
 * parallelism 1.
 */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const PREFIX = '$argon2id$v=19$m=19456,t=2,p=1$'

const base64 = (bytes: number) => randomBytes(bytes).toString('base64').replace(/=+$/, '')
/** Hash that takes as long to verify as a real one but matches no password. */
const DUMMY_HASH = `${PREFIX}${base64(16)}$${base64(32)}`

// Concurrency is limited to the number of cores. More would only use memory and take CPU time from the database.
const turns = createFairQueue({
  atOnce: availableParallelism(),
  patienceMs: 25_000,
  perLane: 200,
  inAll: 2_000,
})

/** Separate queue for the import, which hashes thousands of passwords. */
const ownTurns = createFairQueue({
  atOnce: availableParallelism(),
  patienceMs: 2 ** 31 - 1,
  perLane: Number.POSITIVE_INFINITY,
  inAll: Number.POSITIVE_INFINITY,
})

/**
 * Runs hashing work in a fair queue.
 * @param lane caller in the fair queue; null for operator commands, which are not limited
 */
const inTurn = <Result>(lane: QueueLane | null, work: () => Promise<Result>): Promise<Result> =>
  lane ? turns.run(lane, work) : ownTurns.run({ name: 'operator' }, work)

/** Normalizes a password, because devices encode umlauts differently (precomposed or with combining marks). */
const normalized = (password: string) => password.normalize('NFC')

/**
 * Hashes a password.
 * @returns an encoded argon2id hash
 */
export const hashPassword = (password: string, lane: QueueLane | null = null): Promise<string> =>
  inTurn(lane, () => hash(normalized(password), PARAMETERS))

/** Verifies a password. Without a hash, takes the same time and returns false. */
export async function verifyPassword(
  passwordHash: string | null,
  password: string,
  lane: QueueLane | null = null,
): Promise<boolean> {
  const fits = await inTurn(lane, () => verify(passwordHash ?? DUMMY_HASH, normalized(password)))
  return fits && passwordHash !== null
}

/** Whether a hash uses outdated parameters. */
export const isHashOutdated = (passwordHash: string): boolean => !passwordHash.startsWith(PREFIX)

/** Characters of generated passwords, excluding those easily confused: 0, 1, i, l, o. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789'

/** Generates a password to send by e-mail: 79 random bits in four groups, for example `k4mt-92pw-xyzt-bq3d`. */
export function createMailedPassword(): string {
  const group = () => Array.from({ length: 4 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
  return [group(), group(), group(), group()].join('-')
}

/**
 * Hashes a single-use password sent by e-mail. It is random and short-lived, so plain SHA-256 suffices. Case, spaces
 * and hyphens are ignored.
 */
export const hashMailedPassword = (password: string): string =>
  createHash('sha256').update(password.toLowerCase().replace(/[\s-]/g, '')).digest('hex')

/**
 * Whether a password is the single-use password that was sent by e-mail.
 * @param mailedHashes one hash, or two separated by a space if the e-mail was sent twice
 */
export const matchesMailedPassword = (mailedHashes: string | null, password: string): boolean => {
  const hash = Buffer.from(hashMailedPassword(password))
  return mailedHashes?.split(' ').some(one => timingSafeEqual(Buffer.from(one), hash)) ?? false
}
