import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { Text } from '#components/layout.tsx'
import type { Course } from '#contract/courses.ts'
import { isCancellableAt } from '#contract/lessons.ts'
import { BOOKING_STATUS } from '#contract/values.ts'
import { useWallClock } from '#lib/use-now.ts'

/** The online cancellation deadline has expired; alternatives on request. */
export function NotCancellable({ course }: { course: Course }) {
  const { t } = useTranslation('bookings')
  const nowWallMs = useWallClock()
  if (course.bookingStatus === BOOKING_STATUS.NotBooked || isCancellableAt(course, nowWallMs)) return null
  return (
    <details>
      <Text as="summary" size="s">
        {t('state.notCancellable')}
      </Text>
      <Text size="s" tone="ink">
        {t('state.cancelByMail')} {(course.price?.amount ?? 0) > 0 && t('state.stillOwed')}{' '}
        <Link href="/contact">{t('state.contact')}</Link>
      </Text>
    </details>
  )
}
