import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { errorMessageOf } from '#lib/api-error.ts'
import { CheckLabel, Row, Stack, Text } from '#ui/layout.tsx'
import { ErrorState } from '#ui/state-panel.tsx'
import { useNotificationPreferences } from '../use-notification-preferences.ts'

const PERIODS = ['weekly', 'monthly'] as const
const NONE = { weekly: false, monthly: false }
/** Fragment to which the e-mails link, so that they can be switched off. */
const ID = 'report-mail'

/** Choice of the e-mails with figures and open tasks for the department. Every change is saved immediately. */
export function OfficeReportCard() {
  const { t } = useTranslation('reminders')
  const { reminders, save, error, reload } = useNotificationPreferences()
  const section = useRef<HTMLElement>(null)
  useEffect(() => {
    if (window.location.hash !== `#${ID}`) return
    section.current?.scrollIntoView()
    section.current?.focus({ preventScroll: true })
  }, [])
  const chosen = reminders?.officeReport ?? NONE
  return (
    <Stack as="section" ref={section} id={ID} tabIndex={-1} gap="s" aria-labelledby={`${ID}-title`}>
      <Text as="h2" id={`${ID}-title`} variant="heading" flush>
        {t('officeReport.title')}
      </Text>
      <Text tone="muted" flush>
        {t('officeReport.text')}
      </Text>
      {error ? (
        <ErrorState title={t('choice.failed')} text={errorMessageOf(error, t('noAnswer'))} onRetry={reload} />
      ) : (
        <Row as="fieldset" gap="l" bare disabled={!reminders} aria-labelledby={`${ID}-title`}>
          {PERIODS.map(period => (
            <CheckLabel key={period}>
              <input
                type="checkbox"
                checked={chosen[period]}
                onChange={() =>
                  void save(current => ({
                    ...current,
                    officeReport: { ...(current.officeReport ?? NONE), [period]: !chosen[period] },
                  }))
                }
              />
              {t(`officeReport.${period}`)}
            </CheckLabel>
          ))}
        </Row>
      )}
    </Stack>
  )
}
