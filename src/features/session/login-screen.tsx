import { type ComponentType, Suspense, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'wouter'
import { isInstalled } from '#lib/installed-app.ts'
import { useOnline } from '#lib/online.ts'
import { useQueryString } from '#lib/use-query-string.ts'
import { Button, ButtonLink } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { Form, useShownErrors } from '#ui/form.tsx'
import { Box, Card, CheckLabel, Notice, Stack, Text } from '#ui/layout.tsx'
import { CurrentPasswordField, UserNameField } from '#ui/login-fields.tsx'
import { ScreenHeader } from '#ui/screen-header.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { companyLoginUrl, completeCompanyLogin, useCompanyLogin } from './company-store.ts'
import { AccountEmailButtons } from './components/mail-links.tsx'
import { PasskeyLogin } from './components/passkey-login.tsx'
import { loginFormErrors, registeredEmailOf, routeAfterLogin } from './model.ts'
import { useSession } from './store.ts'
import { useLogin } from './use-login.ts'

/**
 * Leaves the page as soon as the user is logged in, unless a temporary session is being renewed as a persistent one.
 */
function useRedirectAfterLogin(wanted: string | null, isRenewal: boolean): void {
  const [, navigate] = useLocation()
  const phase = useSession(state => state.phase)
  const session = useSession(state => state.session)
  useEffect(() => {
    if (phase === 'started' && session && (!isRenewal || session.keepSession))
      navigate(routeAfterLogin(session, wanted), { replace: true })
  }, [phase, session, wanted, isRenewal, navigate])
}

/**
 * The e-mail address of a registration that has just been sent. It is removed from the history state, so that the
 * registration message does not reappear after a reload.
 */
function useRegisteredEmail() {
  const [registered, setRegistered] = useState(() => registeredEmailOf(window.history.state))
  useEffect(() => {
    if (registeredEmailOf(window.history.state)) window.history.replaceState(null, '')
  }, [])
  return [registered, setRegistered] as const
}

/** @param Unsent lists unsent attendance changes that wait for a login */
export function LoginScreen({ Unsent }: { Unsent: ComponentType }) {
  const { t } = useTranslation('session')
  const search = new URLSearchParams(useQueryString())
  const phase = useSession(state => state.phase)
  const [registered, setRegistered] = useRegisteredEmail()
  const isOnline = useOnline(state => state.isOnline)
  const { problem, send } = useLogin(t('noAnswer'))
  // Sessions in the installed app are persistent by default, because phones terminate apps.
  const isRenewal = search.has('renew')
  const ownName = useSession(state => state.session?.userName ?? '')
  const [input, setInput] = useState({ userName: registered ?? (isRenewal ? ownName : ''), password: '' })
  const [keepSession, setKeepSession] = useState(isRenewal || isInstalled())
  const errors = loginFormErrors(input)
  const { errorOf, touch, showAll } = useShownErrors(errors)
  const wanted = search.get('next')
  const [isBack] = useState(() => search.has('company'))

  useRedirectAfterLogin(wanted, isRenewal)

  const fieldOf = (name: keyof typeof input) => ({
    value: input[name],
    onChange: (value: string) => setInput(before => ({ ...before, [name]: value })),
    onBlur: () => touch(name),
    error: errorOf(name) && t(`login.error.${name}`),
    required: true,
  })
  return (
    <>
      <ScreenHeader title={t('login.title')} />
      {!isOnline && <Notice>{t('login.offline')}</Notice>}
      {isRenewal && isOnline && <Notice>{t('login.renew')}</Notice>}
      <Box hideEmpty my="m">
        <Suspense fallback={null}>
          <Unsent />
        </Suspense>
      </Box>
      <Form
        isValid={Object.keys(errors).length === 0 && phase !== 'checking'}
        onSubmit={() => send({ ...input, keepSession })}
        onReach={showAll}
        submitLabel={t('login.submit')}
        back={
          <ButtonLink href="/" look="ghost">
            {t('login.cancel')}
          </ButtonLink>
        }
      >
        <UserNameField label={t('login.email')} {...fieldOf('userName')} />
        <CurrentPasswordField
          label={t('login.password')}
          {...fieldOf('password')}
          reveal={{ show: t('password.show'), hide: t('password.hide') }}
        />
        <CheckLabel>
          <input
            type="checkbox"
            name="keepSession"
            checked={keepSession}
            onChange={event => setKeepSession(event.currentTarget.checked)}
          />
          {t('login.keep')}
        </CheckLabel>
        {/* Shows the same message as the toast, but permanently. */}
        {problem && (
          <Card as="p" status="error" flush>
            {problem}
          </Card>
        )}
      </Form>
      <CompanyLogin next={wanted} keepSession={keepSession} isBack={isBack} />
      <Suspense
        fallback={
          <Box mt="l">
            <Skeleton rows={1} height={48} />
          </Box>
        }
      >
        <PasskeyLogin keepSession={keepSession} />
      </Suspense>
      <AccountEmailButtons userName={input.userName.trim()} />
      <Text tone="muted" flush>
        {t('login.noAccount')} <Link href="/register1">{t('login.register')}</Link>
      </Text>
      {registered && <RegisteredDialog email={registered} onClose={() => setRegistered(null)} />}
    </>
  )
}

function RegisteredDialog({ email, onClose }: { email: string; onClose: () => void }) {
  const { t } = useTranslation('session')
  return (
    <Dialog title={t('registered.title')} onClose={onClose}>
      <p>{t('registered.text', { email })}</p>
      <Button look="plain" onClick={onClose}>
        {t('ok')}
      </Button>
    </Dialog>
  )
}

type Props = { next: string | null; keepSession: boolean; isBack: boolean }

/**
 * Login with the company account (single sign-on). `isBack`: the identity provider has redirected back to the portal.
 */
function CompanyLogin({ next, keepSession, isBack }: Props) {
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
