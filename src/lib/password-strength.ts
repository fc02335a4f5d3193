import { guessableWordsOf, listGuessablePersonalWords, type PasswordOwner } from '#contract/rules/common-rules.ts'
import { PASSWORD_MIN_SCORE, type UnmetPasswordRule, unmetPasswordRules } from '#contract/rules/password-rules.ts'
import { branding } from './branding.ts'
import type { PasswordStrength } from './password-meter.ts'

export type { PasswordOwner } from '#contract/rules/common-rules.ts'
export type { PasswordStrength } from './password-meter.ts'

export type StrengthRequest = { password: string; knownWords: string[] }

/** A requirement that a new password does not meet: a rule of the password policy, or sufficient strength. */
export type PasswordRequirement = UnmetPasswordRule | 'hardToGuess'

const POLICY: UnmetPasswordRule[] = ['length', 'upperCase', 'lowerCase', 'digitOrSpecial']

/**
 * Lists each password requirement and whether it is met.
 * @param strength null while the strength is unknown
 */
export function passwordRequirements(
  password: string,
  strength: PasswordStrength | null,
): { need: PasswordRequirement; isMet: boolean }[] {
  const lacks = unmetPasswordRules(password)
  const isHardToGuess = strength !== null && strength.score >= PASSWORD_MIN_SCORE
  return [
    ...POLICY.map(need => ({ need, isMet: password !== '' && !lacks.includes(need) })),
    { need: 'hardToGuess', isMet: password !== '' && isHardToGuess },
  ]
}

let judge: Worker | null = null

/**
 * Rates a password in a web worker, never higher than the server does.
 * @param owner personal data that an attacker may know
 * @throws Error if the word lists could not be loaded
 */
export async function ratePasswordStrength(password: string, owner: PasswordOwner): Promise<PasswordStrength> {
  const question: StrengthRequest = {
    password,
    knownWords: [...listGuessablePersonalWords(owner), ...guessableWordsOf(branding)],
  }
  judge ??= new Worker(new URL('./password-strength-worker.ts', import.meta.url), { type: 'module' })
  const worker = judge
  const { port1: own, port2: port } = new MessageChannel()
  return new Promise((resolve, reject) => {
    const giveUp = () => {
      // The next call starts a new worker, which loads the word lists again.
      worker.terminate()
      if (judge === worker) judge = null
      reject(new Error('the password word lists could not be loaded'))
    }
    worker.addEventListener('error', giveUp, { once: true })
    own.onmessage = ({ data }: MessageEvent<PasswordStrength | null>) => {
      worker.removeEventListener('error', giveUp)
      own.close()
      if (data) resolve(data)
      else giveUp()
    }
    worker.postMessage(question, [port])
  })
}
