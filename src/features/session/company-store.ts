import { useEffect } from 'react'
import { create } from 'zustand'
import { api, type EndpointData } from '#lib/api.ts'
import { errorMessageOf } from '#lib/api-error.ts'
import { startPasswordlessSession } from './entry-store.ts'

type CompanyLogin = EndpointData<'getCompanyLogin'>

/** The company login; null until the server has reported whether single sign-on is configured. */
const useStore = create<{ login: CompanyLogin | null }>(() => ({ login: null }))

/** The company login's label and availability; null if it is not configured or this is not known yet. */
export function useCompanyLogin(): CompanyLogin | null {
  const login = useStore(state => state.login)
  useEffect(() => {
    api.getCompanyLogin().then(
      found => useStore.setState({ login: found }),
      // If there is no response, the button is not shown; logging in with a password is still possible.
      () => undefined,
    )
  }, [])
  return login?.isOn ? login : null
}

/** URL that starts single sign-on. @param next path to return to */
export const companyLoginUrl = (next: string | null, keepSession: boolean): string =>
  `/api/session/company/start?${new URLSearchParams({ ...(next && { next }), ...(keepSession && { keepSession: 'true' }) })}`

/** Completes single sign-on after the redirect back. @returns '' on success, otherwise an error text */
export async function completeCompanyLogin(noAnswer: string): Promise<string> {
  try {
    return await startPasswordlessSession(api.finishCompanyLogin({ body: {} }))
  } catch (error) {
    return errorMessageOf(error, noAnswer)
  }
}
