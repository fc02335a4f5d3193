import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isIban } from '#contract/rules/iban-rules.ts'
import { formatMoney, nameInLanguage } from '#contract/words.ts'
import { useBookedCourses } from '#features/bookings/resource.ts'
import { CurrentPasswordDialog } from '#features/session/components/present-password-dialog.tsx'
import { api } from '#lib/api.ts'
import { errorMessageOf } from '#lib/api-error.ts'
import { withProgress } from '#lib/progress.ts'
import { showSuccess } from '#lib/toast.ts'
import { useLanguage } from '#lib/use-language.ts'
import { AsOfLine } from '#ui/as-of-line.tsx'
import { ButtonLink } from '#ui/button.tsx'
import { Form } from '#ui/form.tsx'
import { Card, Row, Stack, Text } from '#ui/layout.tsx'
import { ScreenHeader } from '#ui/screen-header.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { EmptyState, ErrorState } from '#ui/state-panel.tsx'
import { TextField } from '#ui/text-field.tsx'
import { CourseCosts } from './components/course-costs.tsx'
import { OwnInvoices } from './components/invoices.tsx'
import { AttendanceProofs } from './components/proofs.tsx'
import { useCosts, useMayAttendFree } from './resource.ts'

/**
 * The costs of the user's courses by season, and the user's absence proofs (sick notes and proofs of shift work). When
 * offline, shows the data of the last visit.
 */
export function CostsScreen() {
  const { t } = useTranslation('costs')
  const language = useLanguage()
  const { data, phase, asOf, isStale } = useCosts()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the response is in the language of the request
  useEffect(() => {
    useCosts.load()
    useBookedCourses.load()
  }, [language])
  const { balance, iban, invoices, seasons, proofs } = data
  // Everybody else pays however often they attend, so a proof would change nothing.
  const canWaive = useMayAttendFree()
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
          <OwnInvoices invoices={invoices} />
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
              <h2>{nameInLanguage(language, season) || t('noSeason')}</h2>
              <Stack as="ul" gap="s">
                {season.courses.map(course => (
                  <li key={course.courseId}>
                    <CourseCosts cost={course} />
                  </li>
                ))}
              </Stack>
            </Stack>
          ))}
          {(canWaive || proofs.length > 0) && <AttendanceProofs proofs={proofs} />}
        </Stack>
      )}
    </>
  )
}

/** Form for the IBAN to which a refund is paid. The portal deletes the IBAN once the transfer has been initiated. */
function IbanForm({ saved }: { saved: string }) {
  const { t } = useTranslation('costs')
  const [iban, setIban] = useState('')
  const [isPasswordNeeded, setIsPasswordNeeded] = useState(false)
  const [problem, setProblem] = useState('')
  const [isChecked, setIsChecked] = useState(false)
  const isValid = isIban(iban.replaceAll(/\s/g, '').toUpperCase())
  const send = async (password: string) => {
    setProblem('')
    try {
      const { status, message } = await withProgress(api.saveIban({ body: { iban, password } }))
      if (status === 'WrongPWorUser' && password === '') return setIsPasswordNeeded(true)
      if (status !== 'Ok') return setProblem(message)
      setIsPasswordNeeded(false)
      showSuccess(message)
      await useCosts.load()
    } catch (error) {
      setProblem(errorMessageOf(error, t('iban.needsNetwork')))
    }
  }
  return (
    <Card gap="s" layout="stack" aria-labelledby="iban">
      <h2 id="iban">{t('iban.title')}</h2>
      <Text flush>{saved ? t('iban.saved', { iban: saved }) : t('iban.text')}</Text>
      <Form
        isValid={isValid}
        onSubmit={() => send('')}
        onReach={() => setIsChecked(true)}
        submitLabel={t('iban.send')}
        problem={isPasswordNeeded ? '' : problem}
      >
        <TextField
          name="iban"
          label={t('iban.label')}
          required
          autoComplete="off"
          value={iban}
          error={isChecked && !isValid ? t('iban.error') : ''}
          onChange={value => {
            setProblem('')
            setIban(value)
          }}
          onBlur={() => setIsChecked(iban !== '')}
        />
      </Form>
      {isPasswordNeeded && (
        <CurrentPasswordDialog
          title={t('iban.title')}
          text={t('iban.password')}
          submitLabel={t('iban.send')}
          problem={problem}
          onSubmit={send}
          onClose={() => {
            setProblem('')
            setIsPasswordNeeded(false)
          }}
        />
      )}
    </Card>
  )
}
