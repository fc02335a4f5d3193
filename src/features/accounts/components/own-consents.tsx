import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import {
  CONSENT_KINDS,
  type ConsentKind,
  CURRENT_CONSENT_VERSIONS,
  type GivenConsent,
  hasConsented,
} from '#contract/rules/consent-rules.ts'
import type { ApiCallOutcome } from '#contract/values.ts'
import { useBookedCourses } from '#features/bookings/resource.ts'
import { api } from '#lib/api.ts'
import { errorMessageOf } from '#lib/api-error.ts'
import { withProgress } from '#lib/progress.ts'
import { showError, showSuccess } from '#lib/toast.ts'
import { Button } from '#ui/button.tsx'
import { ConfirmDialog } from '#ui/confirm-dialog.tsx'
import { Card, Stack, Text } from '#ui/layout.tsx'
import { styles } from '#ui/styles.ts'

/** 'YYYY-MM-DDTHH:mm' as 'DD.MM.YYYY' */
const dayOf = (moment: string) => moment.slice(0, 10).split('-').reverse().join('.')

type Props = {
  given: readonly GivenConsent[]
  /** whether an insurance number is stored; if the office entered it, without a stored consent */
  hasInsuranceNumber: boolean
  /** called after each attempt to give or withdraw a consent, because other data of the user depends on the consents */
  onChange: () => void
}

/** The user's explicit consents (Art. 9 GDPR), each with a button to withdraw it. */
export function OwnConsents({ given, hasInsuranceNumber, onChange }: Props) {
  const { t } = useTranslation('consents')
  const [ending, setEnding] = useState<ConsentKind | null>(null)
  const hasHealthCourse = useBookedCourses(state => state.data.some(course => course.centralTestInstitute !== ''))
  useEffect(() => void useBookedCourses.load(), [])
  const shown = CONSENT_KINDS.filter(
    kind => given.some(one => one.kind === kind) || (kind === 'attendance' ? hasHealthCourse : hasInsuranceNumber),
  )
  const send = async (request: Promise<ApiCallOutcome>) => {
    setEnding(null)
    try {
      const { message } = await withProgress(request)
      showSuccess(message)
    } catch (error) {
      showError(errorMessageOf(error, t('needsNetwork')))
    }
    onChange()
  }
  const give = () =>
    send(api.giveConsent({ body: { kind: 'attendance', version: CURRENT_CONSENT_VERSIONS.attendance } }))
  return (
    <Stack as="section" flush part aria-labelledby="consents">
      <h2 id="consents">{t('title')}</h2>
      <Text tone="muted" flush>
        {t('lead')} <Link href="/costs">{t('costs')}</Link>
      </Text>
      {shown.length === 0 && <Text flush>{t('none')}</Text>}
      {shown.map(kind => (
        <Card as="div" key={kind} gap="xs" layout="stack">
          <Text as="h3" variant="name" flush>
            {t(`${kind}.title`)}
          </Text>
          {given
            .filter(one => one.kind === kind)
            .map(({ givenAt, version, withdrawnAt }) => (
              <Text key={`${version} ${givenAt}`} size="s" flush>
                {t('given', { day: dayOf(givenAt), version })}
                {withdrawnAt && ` · ${t('ended', { day: dayOf(withdrawnAt) })}`}
              </Text>
            ))}
          {(given.some(one => one.kind === kind && one.withdrawnAt === null) ||
            (kind === 'insurance' && hasInsuranceNumber)) && (
            <Button
              look="text"
              className={styles({ align: 'start' })}
              aria-label={`${t('withdraw')}: ${t(`${kind}.title`)}`}
              onClick={() => setEnding(kind)}
            >
              {t('withdraw')}
            </Button>
          )}
          {kind === 'attendance' && !hasConsented(given, kind) && (
            <>
              {hasHealthCourse && (
                <Text flush weight="bold">
                  {t('attendance.missing')}
                </Text>
              )}
              <Text flush>{t('attendance.text')}</Text>
              <Button look="ghost" className={styles({ align: 'start' })} onClick={give}>
                {t('give')}
              </Button>
            </>
          )}
        </Card>
      ))}
      {ending && (
        <ConfirmDialog
          title={t('withdrawTitle')}
          text={t(`${ending}.withdrawText`)}
          confirmLabel={t('withdrawYes')}
          onConfirm={() => send(api.endConsent({ params: { kind: ending } }))}
          onCancel={() => setEnding(null)}
        />
      )}
    </Stack>
  )
}
