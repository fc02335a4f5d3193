import { useTranslation } from 'react-i18next'
import { Stack, Text } from '#components/layout.tsx'
import { ScreenHeader } from '#components/screen-header.tsx'
import { useSession } from '#features/session/store.ts'
import { CalendarFeed } from './components/calendar-feed.tsx'
import { FollowList } from './components/follow-list.tsx'
import { PushSwitch } from './components/push-switch.tsx'
import { ReminderChoice } from './components/reminder-choice.tsx'

const PARTS = { feed: CalendarFeed, choice: ReminderChoice, push: PushSwitch, follow: FollowList }

/** Notification settings: calendar, reminders, push on this device, followed items. */
export function RemindersScreen() {
  const { t } = useTranslation('reminders')
  const isStarted = useSession(state => state.phase === 'started')
  return (
    <>
      <ScreenHeader title={t('title')} lead={t('lead')} />
      {isStarted &&
        Object.entries(PARTS).map(([part, Part]) => (
          <Stack as="section" key={part} flush width="narrow" mb="xl" aria-labelledby={`reach-${part}`}>
            <h2 id={`reach-${part}`}>{t(`${part}.title`)}</h2>
            <Text tone="muted" flush>
              {t(`${part}.text`)}
            </Text>
            <Part />
          </Stack>
        ))}
    </>
  )
}
