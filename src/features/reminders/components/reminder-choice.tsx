import { useTranslation } from 'react-i18next'
import { Box, CheckLabel, Row, Text } from '#components/layout.tsx'
import { ErrorState } from '#components/state-panel.tsx'
import { REMINDERS, type ReminderKind, type Reminders } from '#contract/reminders.ts'
import { messageOf } from '#lib/api-error.ts'
import { useReminders } from '../use-reminders.ts'

const WAYS = ['mail', 'push'] as const

/** Notification preferences by topic and channel; each change is saved immediately. */
export function ReminderChoice() {
  const { t } = useTranslation('reminders')
  const { reminders, save, error, reload } = useReminders()

  const toggle = (before: Reminders, kind: ReminderKind, way: (typeof WAYS)[number]) =>
    save(before, { ...before, [kind]: { ...before[kind], [way]: !before[kind][way] } })
  if (error) {
    return <ErrorState title={t('choice.failed')} text={messageOf(error, t('noAnswer'))} onRetry={reload} />
  }
  return (
    <Box as="ul" divided>
      {REMINDERS.map(kind => (
        <li key={kind}>
          <Row as="fieldset" gap="l" bare py="s" disabled={!reminders}>
            <Text as="legend" legend weight="semibold">
              {t(`choice.${kind}`)}
            </Text>
            {WAYS.map(way => (
              <CheckLabel key={way}>
                <input
                  type="checkbox"
                  checked={reminders?.[kind][way] ?? false}
                  onChange={() => reminders && toggle(reminders, kind, way)}
                />
                {t(`choice.${way}`)}
              </CheckLabel>
            ))}
          </Row>
        </li>
      ))}
    </Box>
  )
}
