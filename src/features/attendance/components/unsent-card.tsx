import { useTranslation } from 'react-i18next'
import { textInLanguage } from '#contract/words.ts'
import { useSession } from '#features/session/store.ts'
import { useLanguage } from '#lib/use-language.ts'
import { ButtonLink } from '#ui/button.tsx'
import { Stack, Text } from '#ui/layout.tsx'
import { countWaitingByCourse } from '../outbox/records.ts'
import { useAttendance } from '../store.ts'
import classes from './outbox-status-line.module.css'
import { OutboxStatusLine } from './outbox-status-line.tsx'
import { UnreadableEntries } from './unreadable-entries.tsx'

/**
 * Unsent attendance changes on this device, shown on the start page and on the login page; renders nothing if there are
 * none.
 */
export function UnsentChangesCard({ isAtLogin = false }: { isAtLogin?: boolean }) {
  const { t } = useTranslation('attendance')
  const language = useLanguage()
  const phase = useSession(state => state.phase)
  const view = useAttendance(state => state.view)
  if (phase === 'started') return <OutboxStatusLine isQuiet />
  const waiting = phase === 'none' ? countWaitingByCourse(view, 0) : []
  const lost = view.shelf.filter(({ kind }) => kind === 'lost')
  const shelved = view.shelf.filter(({ kind }) => kind === 'damaged')
  if (waiting.length + lost.length + shelved.length === 0) return null
  return (
    <Stack as="section" gap="s" aria-label={t('unsent.title')}>
      {waiting.map(({ entry: { courseId, about }, count }) => (
        <Text key={courseId} fill="sun" className={classes.line}>
          <b>{count}</b>
          <span>
            {t('unsent.login', {
              count,
              course: about
                ? textInLanguage(language, about.name, about.name2)
                : t('instructor.elsewhere', { id: courseId }),
            })}
          </span>
        </Text>
      ))}
      {waiting.length > 0 && !isAtLogin && (
        <ButtonLink href="/login" look="light">
          {t('unsent.toLogin')}
        </ButtonLink>
      )}
      {lost.length > 0 && <UnreadableEntries kind="lost" items={lost} />}
      {shelved.length > 0 && <UnreadableEntries kind="shelved" items={shelved} />}
    </Stack>
  )
}
