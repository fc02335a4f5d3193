import { useState } from 'react'
import type { Credentials, Session } from '#contract/endpoints/session.ts'
import { errorMessageOf } from '#lib/api-error.ts'
import { showError } from '#lib/toast.ts'
import { useSession } from './store.ts'

/** Logs in. Shows any error as a toast and returns it as `problem`; `send` then resolves with null. */
export function useLogin(noAnswer: string) {
  const login = useSession(state => state.login)
  const [problem, setProblem] = useState('')
  const tell = (message: string) => {
    setProblem(message)
    showError(message)
    return null
  }
  const send = async ({ userName, ...rest }: Credentials): Promise<Session | null> => {
    setProblem('')
    try {
      const session = await login({ userName: userName.trim(), ...rest })
      return session.status === 'Ok' ? session : tell(session.message)
    } catch (error) {
      return tell(errorMessageOf(error, noAnswer))
    }
  }
  return { problem, send }
}
