import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { formatMoney, nameIn } from '#contract/words.ts'
import { useBookedCourses } from '#features/bookings/resource.ts'
import { useLanguage } from '#lib/use-language.ts'
import { AsOfLine } from '#ui/as-of-line.tsx'
import { ButtonLink } from '#ui/button.tsx'
import { Card, Row, Stack, Text } from '#ui/layout.tsx'
import { ScreenHeader } from '#ui/screen-header.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { EmptyState, ErrorState } from '#ui/state-panel.tsx'
import { CourseCosts } from './components/course-costs.tsx'
import { IbanForm } from './components/iban-form.tsx'
import { AttendanceProofs } from './components/proofs.tsx'
import { useCosts } from './resource.ts'

/**
 * The costs of the user's courses by season, and the proofs of sickness and shift work. When offline, shows the data of
 * the last visit.
 */
export function CostsScreen() {
  const { t } = useTranslation('costs')
  const language = useLanguage()
  const { data, phase, asOf, isStale } = useCosts()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the server answers in the language of the request
  useEffect(() => {
    useCosts.load()
    useBookedCourses.load()
  }, [language])
  const { balance, iban, seasons, proofs } = data
  const isRefundHeld = seasons.some(({ courses }) => courses.some(({ cause }) => cause === 'iban'))
  return (
    <>
      <ScreenHeader title={t('title')} lead={t('lead')} />
      <AsOfLine asOf={asOf} isStale={isStale} />
      {phase === 'loading' && <Skeleton rows={3} height={150} />}
      {phase === 'failed' && <ErrorState title={t('failed')} onRetry={useCosts.load} />}
      {phase === 'ready' && (
        <Stack gap="l" width="narrow">
          <Card gap="xs" layout="stack" aria-labelledby="balance">
            <Row as="h2" id="balance" justify="between" variant="heading">
              <span>{t('balance')}</span>
              <Text as="span" tabular>
                {formatMoney(balance)}
              </Text>
            </Row>
            <Text tone="muted" flush>
              {t(balance > 0 ? 'balanceOwed' : balance < 0 ? 'balanceCredit' : 'balanceNone')}
            </Text>
          </Card>
          {(isRefundHeld || iban) && <IbanForm key={iban} saved={iban} />}
          {seasons.length === 0 && (
            <EmptyState title={t('empty')} text={t('emptyText')}>
              <ButtonLink href="/courses" look="primary">
                {t('emptyAction')}
              </ButtonLink>
            </EmptyState>
          )}
          {seasons.map(season => (
            <Stack as="section" key={season.seasonId} gap="s">
              <h2>{nameIn(language, season) || t('noSeason')}</h2>
              <Stack as="ul" gap="s">
                {season.courses.map(course => (
                  <li key={course.courseId}>
                    <CourseCosts cost={course} />
                  </li>
                ))}
              </Stack>
            </Stack>
          ))}
          <AttendanceProofs proofs={proofs} />
        </Stack>
      )}
    </>
  )
}
