import { useTranslation } from 'react-i18next'
import { piece } from '#components/pieces.ts'
import { ErrorState } from '#components/state-panel.tsx'
import { REMINDERS, type ReminderKind, type Reminders } from '#contract/reminders.ts'
import { messageOf } from '#lib/api-error.ts'
import { withProgress } from '#lib/progress.ts'
import { showError } from '#lib/toast.ts'
import { useAnswer } from '#lib/use-answer.ts'
import { changeReminders, getReminders } from '../api.ts'

const WAYS = ['mail', 'push'] as const

/** Notification preferences by topic and channel; each change is saved immediately. */
export function ReminderChoice() {
  const { t } = useTranslation('reminders')
  const { answer: reminders, setAnswer: setReminders, problem, load } = useAnswer(getReminders, t('noAnswer'))

  const toggle = async (before: Reminders, kind: ReminderKind, way: (typeof WAYS)[number]) => {
    const wanted = { ...before, [kind]: { ...before[kind], [way]: !before[kind][way] } }
    setReminders(wanted)
    try {
      await withProgress(changeReminders(wanted))
    } catch (error) {
      setReminders(before)
      showError(messageOf(error, t('noAnswer')))
    }
  }
  if (problem) return <ErrorState title={t('choice.failed')} text={problem} onRetry={load} />
  return (
    <ul className={piece('lined')}>
      {REMINDERS.map(kind => (
        <li key={kind}>
          <fieldset className={piece('row', 'bare', 'padded')} disabled={!reminders}>
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
