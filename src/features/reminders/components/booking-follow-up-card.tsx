import { useTranslation } from 'react-i18next'
import type { Course } from '#contract/endpoints/courses.ts'
import type { Reminders } from '#contract/endpoints/reminders.ts'
import { withTimeout } from '#lib/lazy-load.ts'
import { CheckLabel, Stack } from '#ui/layout.tsx'
import { IconBell } from '#ui/shell-icons.ts'
import { refreshPushState, usePushState } from '../push-store.ts'
import { useNotificationPreferences } from '../use-notification-preferences.ts'
import classes from './booking-follow-up-card.module.css'
import { CalendarButton } from './calendar-button.tsx'
import { ShareCourseButton } from './share-course-button.tsx'

const isEveOn = ({ lessonEve: { mail, push } }: Reminders) => mail || push

/**
 * Switch for reminders on the evening before a lesson. They are sent by push if this browser receives push
 * notifications, otherwise by e-mail.
 */
function EveReminder() {
  const { t } = useTranslation('reminders')
  const { reminders, save } = useNotificationPreferences()
  const isOn = reminders !== null && isEveOn(reminders)
  const toggle = async () => {
    await withTimeout(refreshPushState())
    const push = usePushState.getState().state === 'on'
    let lessonEve: Reminders['lessonEve'] | undefined
    save(current => {
      // Decided once, by the displayed preferences: the next call is for those that the server has stored.
      lessonEve ??= isEveOn(current) ? { mail: false, push: false } : { mail: !push, push }
      return { ...current, lessonEve }
    })
  }
  return (
    <CheckLabel>
      <IconBell size={22} />
      {t('choice.eve')}
      <input type="checkbox" role="switch" aria-checked={isOn} checked={isOn} disabled={!reminders} onChange={toggle} />
    </CheckLabel>
  )
}

/** Shown after a booking: calendar export, reminder switch, and sharing. */
export function BookingFollowUpCard({ course, isBooked }: { course: Course; isBooked: boolean }) {
  return (
    <Stack gap="s" mt="l" className={classes.rows}>
      <CalendarButton courseId={course.id} />
      {isBooked && <EveReminder />}
      <ShareCourseButton course={course} />
    </Stack>
  )
}
