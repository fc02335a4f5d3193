import { lacksOfPassword, PASSWORD_MIN_SCORE, type PasswordLack } from '#contract/password-rules.ts'
import type { Language } from '#contract/values.ts'

/** How hard a password is to guess: 0 to 4, and advice in the reader's language. */
export type Strength = { score: number; advice: string[] }

export type StrengthQuestion = { password: string; personalWords: string[]; language: Language }

const NEEDS: PasswordLack[] = ['length', 'upperCase', 'lowerCase', 'digitOrSpecial']

/** Each thing that the policy asks for, and whether the password has it. */
export function needsOf(password: string): { need: PasswordLack; isMet: boolean }[] {
  const lacks = lacksOfPassword(password)
  return NEEDS.map(need => ({ need, isMet: password !== '' && !lacks.includes(need) }))
}

/** Whether the server will take it, as far as the dictionaries of one language tell. */
export const isAcceptable = (password: string, { score }: Strength): boolean =>
  score >= PASSWORD_MIN_SCORE && lacksOfPassword(password).length === 0

let judge: Worker | null = null

/**
 * Judges a password on a thread of its own: loading the dictionaries (some hundred KB) takes a phone a second or two, in which
 * nobody could type. The server judges with the dictionaries of all languages.
 * @param personalWords what an attacker knows of the person: names, the e-mail address
 * @throws Error when the dictionaries cannot be fetched
 */
export async function judgeStrength(question: StrengthQuestion): Promise<Strength> {
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
