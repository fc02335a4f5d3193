import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { BookingObstacle, Course } from '#contract/endpoints/courses.ts'
import { isCancellableAt, lastCancelDay } from '#contract/lessons.ts'
import { BOOKING_STATUS } from '#contract/values.ts'
import { formatDeadline } from '#contract/words.ts'
import { formatAttendance } from '#features/courses/attendance-model.ts'
import { useSession } from '#features/session/store.ts'
import { useLocalTimeMs } from '#lib/use-now.ts'
import { Stack, Text } from '#ui/layout.tsx'
import { IconChevronDown } from '#ui/shell-icons.ts'
import { styles } from '#ui/styles.ts'
import { useBookings } from '../store.ts'
import classes from './booking-block.module.css'
import { lazyFeeWaiverProgress } from './lazy-booking-actions.ts'

/** Explains that the deadline for cancelling online has passed, and shows alternatives on request. */
function NotCancellable({ course }: { course: Course }) {
  const { t } = useTranslation('bookings')
  const nowWallMs = useLocalTimeMs()
  if (course.bookingStatus === BOOKING_STATUS.NotBooked || isCancellableAt(course, nowWallMs)) return null
  return (
    <details>
      <Text as="summary" size="s">
        {t('state.notCancellable')} <IconChevronDown size={16} />
      </Text>
      <Text size="s" tone="ink">
        {t('state.cancelByMail')} {(course.price?.amount ?? 0) > 0 && t('state.stillOwed')}{' '}
        <Link href="/contact">{t('state.contact')}</Link>
      </Text>
    </details>
  )
}

const SMALL = styles({ size: 's', tone: 'ink', compact: true })

type Props = { course: Course; isOver: boolean; isOpen: boolean; isChecking: boolean }

/** Pages on which the user can resolve what prevents the booking, or find another course. */
const CURES: Partial<Record<BookingObstacle, { route: (course: Course) => string; text: string }>> = {
  profileIncomplete: { route: () => '/edit', text: 'state.toProfile' },
  yearOfBirthMissing: { route: () => '/edit', text: 'state.toProfile' },
  fullForExternals: { route: course => `/courses?category=${course.courseCategoryId}`, text: 'state.toOthers' },
  onlineOnly: { route: () => '/courses', text: 'state.toOthers' },
}
const CONTACT = { route: () => '/contact', text: 'state.contact' }
/**
 * Values of `obstacle` for which no text is displayed here: either nothing prevents booking, or the booking section
 * already shows the reason.
 */
const SAID_ELSEWHERE = ['', 'notOpen', 'notLoggedIn', 'over']

/** Describes the state of the booking or, if booking is not possible, the reason. */
export function BookingState({ course, isOver, isOpen, isChecking }: Props) {
  const { t } = useTranslation('bookings')
  const isLoggedIn = useSession(state => state.session !== null)
  const isAsking = useBookings(state => state.pending.get(course.id)?.phase === 'asking')
  const isMine = course.bookingStatus !== BOOKING_STATUS.NotBooked
  const { obstacle } = course
  const attended = formatAttendance(course.attendance, useTranslation('courses').t)
  const nowWallMs = useLocalTimeMs()
  const isSettled = !isChecking || obstacle === 'fullForExternals'
  const isBooked = course.bookingStatus === BOOKING_STATUS.Booked
  const freeUntil = lastCancelDay(course, nowWallMs)
  const isRefused = isLoggedIn && !isMine && !isOver && !SAID_ELSEWHERE.includes(obstacle) && (isSettled || !isOpen)
  const cure = (obstacle !== '' && CURES[obstacle]) || CONTACT
  return (
    <Stack gap="xs" flush hideEmpty role="status">
      {isAsking && <p>{t('state.asking')}</p>}
      {isMine && !isOver && (
        <Text variant="name" tone={isBooked ? 'good' : 'todo'}>
          {isBooked ? t('state.booked') : t('state.waiting', { position: course.waitingListPosition })}
        </Text>
      )}
      {isBooked && attended && <p className={`${SMALL} ${classes.attended}`}>{attended}</p>}
      {isBooked && course.attendance && <lazyFeeWaiverProgress.screen course={course} />}
      {isBooked && freeUntil && <p className={SMALL}>{t('note.cancelUntil', { date: formatDeadline(freeUntil) })}</p>}
      {!isOver && !isChecking && <NotCancellable course={course} />}
      {isOver && <Text variant="name">{t('state.over')}</Text>}
      {!isOver && !isLoggedIn && <Text variant="name">{t('state.visitor')}</Text>}
      {isRefused && (
        <p className={SMALL}>
          <Text as="b" only="wide">
            {t('state.notForYou')}.
          </Text>{' '}
          {course.obstacleText} <Link href={cure.route(course)}>{t(cure.text)}</Link>
        </p>
      )}
    </Stack>
  )
}
