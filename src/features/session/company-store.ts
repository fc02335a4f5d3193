import { useEffect } from 'react'
import { create } from 'zustand'
import { messageOf } from '#lib/api-error.ts'
import { finishCompanyLogin, getCompanyLogin } from './company-api.ts'
import { enterSession } from './entry-store.ts'

type CompanyLogin = Awaited<ReturnType<typeof getCompanyLogin>>

/** null until the portal has said whether there is a company login. */
const useStore = create<{ login: CompanyLogin | null }>(() => ({ login: null }))

/** What the company's login is called here; null where there is none, or nobody knows. */
export function useCompanyLogin(): CompanyLogin | null {
  const login = useStore(state => state.login)
  useEffect(() => {
    getCompanyLogin().then(
      found => useStore.setState({ login: found }),
      // Without an answer there is no button: whoever has a password logs in with it.
      () => undefined,
    )
  }, [])
  return login?.isOn ? login : null
}

/** Where the button leads. @param next the page that asked for the login */
export const companyAddress = (next: string | null, keepSession: boolean): string =>
  `/api/session/company/start?${new URLSearchParams({ ...(next && { next }), ...(keepSession && { keepSession: 'true' }) })}`

/** The end of the way back from the company. @returns '' when it is done, else what to tell the person */
export async function enterFromCompany(noAnswer: string): Promise<string> {
  try {
    return await enterSession(finishCompanyLogin())
  } catch (error) {
    return messageOf(error, noAnswer)
  }
}
