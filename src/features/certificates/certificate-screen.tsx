import { useEffect, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import type { CertificateClaims } from '#contract/endpoints/certificates.ts'
import { formatMoney } from '#contract/words.ts'
import { ApiError } from '#lib/api-error.ts'
import { useResource, useScreenResource } from '#lib/resource.ts'
import { IconAlertCircle, IconCircleCheck } from '#ui/icons.ts'
import { Card, Stack, Text } from '#ui/layout.tsx'
import { ScreenHeader } from '#ui/screen-header.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { ErrorState } from '#ui/state-panel.tsx'
import classes from './components/verdict.module.css'
import { verifyCertificate } from './model.ts'
import { useCertificateKeys } from './resource.ts'

const day = (date: string) => date.split('-').reverse().join('.')

/** The contents of the certificate, read from its signed payload. */
function CertificateFacts({ claims }: { claims: CertificateClaims }) {
  const { t } = useTranslation('certificates')
  const { attended, held, minutes, lessonMinutes } = claims
  const facts = [
    ['name', claims.name],
    ['course', `${claims.course} (${claims.courseNumber})`],
    ['institute', claims.institute],
    ['period', `${day(claims.firstDay)} – ${day(claims.lastDay)}`],
    [
      'attendance',
      t(lessonMinutes > 0 ? 'lessonsEach' : 'lessons', { attended, held, minutes: lessonMinutes || minutes }),
    ],
    ['instructor', claims.instructor],
    ['amount', formatMoney(claims.amount)],
    ['issued', t('issuedVersion', { day: day(claims.issued), version: claims.version })],
  ]
  return (
    <Card aria-labelledby="certified">
      <Text as="h2" id="certified" variant="heading">
        {t('certified')}
      </Text>
      <Stack as="dl" gap="s" pairs>
        {facts
          .filter(([, value]) => value !== '')
          .map(([key, value]) => (
            <div key={key}>
              <dt>{t(`fact.${key}`)}</dt>
              <dd>{value}</dd>
            </div>
          ))}
      </Stack>
    </Card>
  )
}

const subscribe = (onChange: () => void) => {
  window.addEventListener('hashchange', onChange)
  return () => window.removeEventListener('hashchange', onChange)
}
/** The fragment never leaves the device, so the server never sees the certificate. */
const readJws = () => window.location.hash.slice(1)

/**
 * Verifies the certificate contained in the URL fragment; the QR code on the certificate encodes this URL. The
 * signature is verified on the device, the current state of the certificate on the server.
 */
export function CertificateScreen() {
  const { t } = useTranslation('certificates')
  const jws = useSyncExternalStore(subscribe, readJws)
  useEffect(() => {
    useCertificateKeys.load()
  }, [])
  return (
    <>
      <ScreenHeader title={t('title')} lead={t(jws === '' ? 'leadEmpty' : 'lead')} />
      {jws === '' ? <Text width="narrow">{t('how')}</Text> : <Certificate jws={jws} />}
    </>
  )
}

function Certificate({ jws }: { jws: string }) {
  const { t } = useTranslation('certificates')
  const { data: keys, phase, isLoading } = useCertificateKeys()
  const request = phase === 'ready' ? `${jws} ${keys.keys.map(({ kid }) => kid).join(' ')}` : null
  const { data: result } = useScreenResource(request, () => verifyCertificate(jws, keys))
  if (phase === 'failed')
    return <ErrorState title={t('noKeys')} text={t('noKeysText')} onRetry={useCertificateKeys.load} />
  // The stored public keys may be older than the certificate's key, so they are fetched again.
  if (!result || (result.verdict === 'unknownKey' && isLoading)) return <Skeleton rows={2} height={150} />
  if (result.verdict !== 'genuine') return <CertificateVerdict of={result.verdict} />
  const { claims } = result
  return (
    <Stack gap="l" width="narrow">
      <CertificateState code={claims.jti} />
      <CertificateFacts claims={claims} />
    </Stack>
  )
}

const TONES = {
  valid: 'good',
  unchecked: 'open',
  checking: 'open',
  unsupported: 'open',
  replaced: 'bad',
  revoked: 'bad',
  unknown: 'bad',
  unknownKey: 'bad',
  forged: 'bad',
} as const

/** The result of verifying a certificate, with an explanation. */
function CertificateVerdict({ of }: { of: keyof typeof TONES }) {
  const { t } = useTranslation('certificates')
  const tone = TONES[of]
  const Icon = tone === 'good' ? IconCircleCheck : IconAlertCircle
  return (
    <Card className={classes.verdict} data-tone={tone} role={of === 'checking' ? undefined : 'status'}>
      <Icon className={classes.icon} />
      <div>
        <Text as="h2" variant="heading">
          {t(`verdict.${of}.title`)}
        </Text>
        <Text flush>{t(`verdict.${of}.text`)}</Text>
      </div>
    </Card>
  )
}

/** Shows whether a genuine certificate is still valid, which only the portal knows. */
function CertificateState({ code }: { code: string }) {
  const { data, error } = useResource('getCertificate', { params: { code } })
  if (data) return <CertificateVerdict of={data.state} />
  if (error instanceof ApiError && error.status === 404) return <CertificateVerdict of="unknown" />
  return <CertificateVerdict of={error ? 'unchecked' : 'checking'} />
}
