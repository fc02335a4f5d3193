import type { Session } from '#contract/endpoints/session.ts'
import { withProgress } from '#lib/progress.ts'
import { storeSessionToken } from '#lib/session-token.ts'
import { useSession } from './store.ts'

/** Starts the session of a passwordless login. @returns '' on success, otherwise an error text */
export async function startPasswordlessSession(login: Promise<Session>): Promise<string> {
  const session = await withProgress(login)
  if (session.status !== 'Ok') return session.message
  storeSessionToken(session.id, session.keepSession)
  await useSession.getState().check()
  return ''
}
