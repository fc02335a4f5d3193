import { useTranslation } from 'react-i18next'
import { ApiError } from '#lib/api-error.ts'
import { useResource } from '#lib/resource.ts'
import { IconAlertCircle, IconCircleCheck } from '#ui/icons.ts'
import { Card, Text } from '#ui/layout.tsx'
import classes from './verdict.module.css'

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
export function CertificateVerdict({ of }: { of: keyof typeof TONES }) {
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
export function CertificateState({ code }: { code: string }) {
  const { data, error } = useResource('getCertificate', { params: { code } })
  if (data) return <CertificateVerdict of={data.state} />
  if (error instanceof ApiError && error.status === 404) return <CertificateVerdict of="unknown" />
  return <CertificateVerdict of={error ? 'unchecked' : 'checking'} />
}
