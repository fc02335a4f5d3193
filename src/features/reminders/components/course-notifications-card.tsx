import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import type { Course } from '#contract/endpoints/courses.ts'
import { BOOKING_STATUS } from '#contract/values.ts'
import { errorMessageOf } from '#lib/api-error.ts'
import { showError } from '#lib/toast.ts'
import { Actions, CheckLabel, Row, Stack, Text } from '#ui/layout.tsx'
import { refreshPushState, subscribeToPush, usePushState } from '../push-store.ts'
import { useFollowSubscriptions } from '../resource.ts'
import { useNotificationPreferences } from '../use-notification-preferences.ts'
import { CalendarButton } from './calendar-button.tsx'
import { FollowButton } from './follow-button.tsx'

/** Card for staying informed about a course: calendar export if it is booked, otherwise a button to follow it. */
export function CourseNotificationsCard({ course: { id, bookingStatus } }: { course: Course }) {
  const isFollowed = useFollowSubscriptions(({ data }) => data.some(item => item.kind === 'course' && item.id === id))
  if (bookingStatus !== BOOKING_STATUS.NotBooked) {
    return (
      <Actions>
        <CalendarButton courseId={id} />
      </Actions>
    )
  }
  return (
    <Stack gap="s">
      <Actions>
        <FollowButton kind="course" id={id} />
      </Actions>
      {isFollowed && <OpeningReminder />}
    </Stack>
  )
}

/** How the user is reminded of the opening. Choosing push also switches it on in this browser. */
function OpeningReminder() {
  const { t } = useTranslation('reminders')
  const { reminders, save } = useNotificationPreferences()
  const push = usePushState(({ state }) => state)
  useEffect(() => {
    refreshPushState()
  }, [])
  if (!reminders) return null
  const { opening } = reminders
  const toggle = async (way: 'mail' | 'push') => {
    try {
      if (way === 'push' && !opening.push && push === 'off') await subscribeToPush()
    } catch (error) {
      return showError(errorMessageOf(error, t('push.failed')))
    }
    await save(current => ({ ...current, opening: { ...current.opening, [way]: !opening[way] } }))
  }
  return (
    <Row as="fieldset" gap="l" bare>
      <Text as="legend" legend weight="semibold">
        {t('choice.opening')}
      </Text>
      <CheckLabel>
        <input type="checkbox" checked={opening.mail} onChange={() => toggle('mail')} />
        {t('choice.mail')}
      </CheckLabel>
      {(push === 'on' || push === 'off') && (
        <CheckLabel>
          <input type="checkbox" checked={opening.push && push === 'on'} onChange={() => toggle('push')} />
          {t('choice.push')}
        </CheckLabel>
      )}
      {!opening.mail && !opening.push && <Text size="s">{t('choice.none')}</Text>}
    </Row>
  )
}
