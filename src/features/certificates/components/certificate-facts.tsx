import { useTranslation } from 'react-i18next'
import { Card, Stack, Text } from '#components/layout.tsx'
import type { CertificateClaims } from '#contract/certificates.ts'
import { formatMoney } from '#contract/words.ts'

const day = (date: string) => date.split('-').reverse().join('.')

/** What the certificate certifies, from its signed payload. */
export function CertificateFacts({ claims }: { claims: CertificateClaims }) {
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
