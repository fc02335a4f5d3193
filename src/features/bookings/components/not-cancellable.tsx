import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { Course } from '#contract/courses.ts'
import { isCancellableAt } from '#contract/lessons.ts'
import { BOOKING_STATUS } from '#contract/values.ts'
import { useWallClock } from '#lib/use-now.ts'

/** Why a booking can no longer be cancelled online, and alternatives. */
export function NotCancellable({ course, className }: { course: Course; className: string }) {
  const { t } = useTranslation('bookings')
  const nowWallMs = useWallClock()
  if (course.bookingStatus === BOOKING_STATUS.NotBooked || isCancellableAt(course, nowWallMs)) return null
  return (
    <p className={className}>
      {t('state.notCancellable')} {(course.price?.amount ?? 0) > 0 && t('state.stillOwed')}{' '}
      <Link href="/contact">{t('state.contact')}</Link>
    </p>
  )
}
