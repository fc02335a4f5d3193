import { useTranslation } from 'react-i18next'
import type { Course } from '#contract/endpoints/courses.ts'
import { CheckLabel, Stack } from '#ui/layout.tsx'
import { IconBell } from '#ui/shell-icons.ts'
import { refreshPushState, usePushState } from '../push-store.ts'
import { useNotificationPreferences } from '../use-notification-preferences.ts'
import classes from './booking-follow-up-card.module.css'
import { CalendarButton } from './calendar-button.tsx'
import { ShareCourseButton } from './share-course-button.tsx'

/**
 * Switch for reminders on the evening before a lesson. They are sent by push if this browser receives push
 * notifications, otherwise by e-mail.
 */
function EveReminder() {
  const { t } = useTranslation('reminders')
  const { reminders, save } = useNotificationPreferences()
  const ways = reminders?.lessonEve
  const isOn = ways !== undefined && (ways.mail || ways.push)
  const toggle = async () => {
    await refreshPushState()
    const hasPush = usePushState.getState().state === 'on'
    const lessonEve = isOn ? { mail: false, push: false } : { mail: !hasPush, push: hasPush }
    save(current => ({ ...current, lessonEve }))
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
