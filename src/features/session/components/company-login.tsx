import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ButtonLink } from '#ui/button.tsx'
import { Card, Stack } from '#ui/layout.tsx'
import { companyLoginUrl, completeCompanyLogin, useCompanyLogin } from '../company-store.ts'

type Props = { next: string | null; keepSession: boolean; isBack: boolean }

/**
 * Login with the company account (single sign-on). `isBack`: the identity provider has redirected back to the portal.
 */
export function CompanyLogin({ next, keepSession, isBack }: Props) {
  const { t } = useTranslation('session')
  const login = useCompanyLogin()
  const [problem, setProblem] = useState('')
  useEffect(() => {
    if (!isBack) return
    // Removes the one-time parameter, because its response can be fetched only once.
    const address = new URL(window.location.href)
    address.searchParams.delete('company')
    window.history.replaceState(window.history.state, '', address)
    completeCompanyLogin(t('noAnswer')).then(setProblem)
  }, [isBack, t])
  if (!login && !problem) return null
  return (
    <Stack mt="l">
      {problem && (
        <Card as="p" status="error" flush role="alert">
          {problem}
        </Card>
      )}
      {login && (
        <ButtonLink look="primary" href={companyLoginUrl(next, keepSession)} isOutside>
          {login.label}
        </ButtonLink>
      )}
    </Stack>
  )
}
