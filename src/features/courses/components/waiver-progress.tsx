import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import type { Course } from '#contract/endpoints/courses.ts'
import { BOOKING_STATUS } from '#contract/values.ts'
import { Stack, Text } from '#ui/layout.tsx'
import { formatAttendance } from '../attendance-model.ts'
import { attendanceDotsOf, feeWaiverStateOf } from '../fee-waiver-model.ts'
import classes from './waiver-progress.module.css'

type Props = { course: Pick<Course, 'bookingStatus' | 'attendance' | 'price'> }

/**
 * Attendance in a booked course: one dot per lesson, and a notch at the number of attended lessons from which the fee
 * is waived.
 */
export function WaiverProgress({ course }: Props) {
  const { t } = useTranslation('own-bookings')
  const { t: courseText } = useTranslation('courses')
  const { bookingStatus, attendance, price } = course
  if (bookingStatus !== BOOKING_STATUS.Booked || !attendance?.planned) return null
  const waiver = feeWaiverStateOf(course)
  const { excused, needed, planned } = attendance
  const words = [
    excused > 0 && t('waiver.excused', { count: excused }),
    waiver?.kind === 'lessons' && t(price?.energyFee ? 'waiver.toFee' : 'waiver.toFree', { count: waiver.count }),
    waiver && waiver.kind !== 'lessons' && t(`waiver.${waiver.kind}`, { needed, planned }),
  ].filter(Boolean)
  return (
    <Stack gap="xs">
      <div
        className={classes.dots}
        role="img"
        aria-label={formatAttendance(attendance, courseText) ?? t('waiver.planned', { count: planned })}
      >
        {attendanceDotsOf(attendance).map((kind, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: dots have no id
          <Fragment key={index}>
            <i className={classes[kind]} />
            {waiver && index + 1 === needed && <i className={classes.notch} />}
          </Fragment>
        ))}
      </div>
      {words.length > 0 && (
        <Text size="s" tone="ink" weight="semibold" flush>
          {words.join(' · ')}
        </Text>
      )}
    </Stack>
  )
}
