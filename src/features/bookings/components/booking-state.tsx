import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { Course } from '#contract/courses.ts'
import { BOOKING_STATUS } from '#contract/values.ts'
import { useSession } from '#features/session/store.ts'
import { useBookings } from '../store.ts'
import classes from './booking-card.module.css'

type Props = { course: Course; isOver: boolean; isOpen: boolean; isBookable: boolean; isChecking: boolean }

/** Where the person stands, in words; what the button cannot say. */
export function BookingState({ course, isOver, isOpen, isBookable, isChecking }: Props) {
  const { t } = useTranslation('bookings')
  const isLoggedIn = useSession(state => state.session !== null)
  const isAsking = useBookings(state => state.pending.get(course.id)?.phase === 'asking')
  const isMine = course.bookingStatus !== BOOKING_STATUS.NotBooked
  const isRefused = isLoggedIn && isOpen && !isMine && !isBookable && !isChecking && !isOver
  return (
    <div className={classes.state} role="status">
      {isAsking && <p>{t('state.asking')}</p>}
      {isMine && (
        <p className={classes.mine}>
          {course.bookingStatus === BOOKING_STATUS.Booked
            ? t('state.booked')
            : t('state.waiting', { position: course.waitingListPosition })}
        </p>
      )}
      {isMine && !isOver && !course.cancellabel && !isChecking && (
        <p>
          {t('state.notCancellable')} <Link href="/contact">{t('state.contact')}</Link>
        </p>
      )}
      {isOver && <p className={classes.strong}>{t('state.over')}</p>}
      {!isOver && !isLoggedIn && <p className={classes.strong}>{t('state.visitor')}</p>}
      {isRefused && (
        <p>
          <b>{t('state.notForYou')}.</b> {t('state.notForYouText')} <Link href="/contact">{t('state.contact')}</Link>
        </p>
      )}
    </div>
  )
}
