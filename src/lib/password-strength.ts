import { localWordsOf, type PasswordOwner, personalWordsOf } from '#contract/common-rules.ts'
import { lacksOfPassword, PASSWORD_MIN_SCORE, type PasswordLack } from '#contract/password-rules.ts'
import { branding } from './branding.ts'
import type { Strength } from './password-meter.ts'

export type { PasswordOwner } from '#contract/common-rules.ts'
export type { Strength } from './password-meter.ts'

export type StrengthQuestion = { password: string; knownWords: string[] }

/** What a new password needs: the policy, and to be hard to guess. */
export type PasswordNeed = PasswordLack | 'hardToGuess'

const POLICY: PasswordLack[] = ['length', 'upperCase', 'lowerCase', 'digitOrSpecial']

/** Each thing that the server asks for, and whether the password has it. @param strength null while there is no judgement */
export function needsOf(password: string, strength: Strength | null): { need: PasswordNeed; isMet: boolean }[] {
  const lacks = lacksOfPassword(password)
  const isHardToGuess = strength !== null && strength.score >= PASSWORD_MIN_SCORE
  return [
    ...POLICY.map(need => ({ need, isMet: password !== '' && !lacks.includes(need) })),
    { need: 'hardToGuess', isMet: password !== '' && isHardToGuess },
  ]
}

let judge: Worker | null = null

/**
 * Judges on a thread of its own, never better than the server.
 * @param owner whom an attacker knows @throws Error without its words
 */
export async function judgeStrength(password: string, owner: PasswordOwner): Promise<Strength> {
  const question: StrengthQuestion = { password, knownWords: [...personalWordsOf(owner), ...localWordsOf(branding)] }
  judge ??= new Worker(new URL('./password-strength-worker.ts', import.meta.url), { type: 'module' })
  const worker = judge
  const { port1: own, port2: port } = new MessageChannel()
  return new Promise((resolve, reject) => {
    const giveUp = () => {
      // The next question starts anew, and fetches anew.
      worker.terminate()
      if (judge === worker) judge = null
      reject(new Error('the password was not judged'))
    }
    worker.addEventListener('error', giveUp, { once: true })
    own.onmessage = ({ data }: MessageEvent<Strength | null>) => {
      worker.removeEventListener('error', giveUp)
      own.close()
      if (data) resolve(data)
      else giveUp()
    }
    worker.postMessage(question, [port])
  })
}
