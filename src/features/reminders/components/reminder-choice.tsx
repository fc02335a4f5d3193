import { useTranslation } from 'react-i18next'
import { piece } from '#components/pieces.ts'
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
    <ul className={piece('lined')}>
      {REMINDERS.map(kind => (
        <li key={kind}>
          <fieldset className={piece('row', 'loose', 'bare', 'padded')} disabled={!reminders}>
            <legend className={piece('legend', 'strong')}>{t(`choice.${kind}`)}</legend>
            {WAYS.map(way => (
              <label key={way} className={piece('check')}>
                <input
                  type="checkbox"
                  checked={reminders?.[kind][way] ?? false}
                  onChange={() => reminders && toggle(reminders, kind, way)}
                />
                {t(`choice.${way}`)}
              </label>
            ))}
          </fieldset>
        </li>
      ))}
    </ul>
  )
}
