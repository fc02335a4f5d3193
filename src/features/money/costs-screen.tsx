import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { AsOfLine } from '#components/as-of-line.tsx'
import { ButtonLink } from '#components/button.tsx'
import { piece } from '#components/pieces.ts'
import { ScreenHeader } from '#components/screen-header.tsx'
import { Skeleton } from '#components/skeleton.tsx'
import { EmptyState, ErrorState } from '#components/state-panel.tsx'
import { formatMoney, nameIn } from '#contract/words.ts'
import { useBookedCourses } from '#features/bookings/resource.ts'
import { useLanguage } from '#lib/use-language.ts'
import { CourseCosts } from './components/course-costs.tsx'
import { IbanForm } from './components/iban-form.tsx'
import { Proofs } from './components/proofs.tsx'
import { useCosts } from './resource.ts'

/** What the user's courses cost by season, and proofs of sickness and shift work; offline as of the last visit. */
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
        <div className={piece('stack', 'loose', 'narrow')}>
          <section className={piece('box', 'stack', 'tight')} aria-labelledby="balance">
            <h2 id="balance" className={piece('spread', 'heading')}>
              <span>{t('balance')}</span>
              <span className={piece('steady')}>{formatMoney(balance)}</span>
            </h2>
            <p className={piece('muted', 'flush')}>
              {t(balance > 0 ? 'balanceOwed' : balance < 0 ? 'balanceCredit' : 'balanceNone')}
            </p>
          </section>
          {(isRefundHeld || iban) && <IbanForm key={iban} saved={iban} />}
          {seasons.length === 0 && (
            <EmptyState title={t('empty')} text={t('emptyText')}>
              <ButtonLink href="/courses" look="primary">
                {t('emptyAction')}
              </ButtonLink>
            </EmptyState>
          )}
          {seasons.map(season => (
            <section key={season.seasonId} className={piece('stack', 'close')}>
              <h2>{nameIn(language, season) || t('noSeason')}</h2>
              <ul className={piece('stack', 'close')}>
                {season.courses.map(course => (
                  <li key={course.courseId}>
                    <CourseCosts cost={course} />
                  </li>
                ))}
              </ul>
            </section>
          ))}
          <Proofs proofs={proofs} />
        </div>
      )}
    </>
  )
}
