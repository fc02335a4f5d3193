import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Course } from '#contract/endpoints/courses.ts'
import { BOOKING_STATUS } from '#contract/values.ts'
import { formatDate, formatMoney, formatTime } from '#contract/words.ts'
import { loadCourse, useClashes } from '#features/courses/resource.ts'
import { countdownParts } from '#lib/countdown.ts'
import { useOnline } from '#lib/online.ts'
import { Button } from '#ui/button.tsx'
import { styles } from '#ui/styles.ts'
import { bookingTermsKey } from '../model.ts'
import { type PendingBooking, useBookings } from '../store.ts'
import { bookCourse } from '../sync.ts'
import { useAttendanceConsent } from '../use-attendance-consent.ts'
import { BookingConfirmation } from './booking-confirmation.tsx'
import { CancelButton } from './cancel-button.tsx'
import { OwnRequest } from './own-request.tsx'
import { WaitingOdds } from './waiting-odds.tsx'

type Props = {
  course: Course
  isOver: boolean
  isOpen: boolean
  isBookable: boolean
  isChecking: boolean
  /** time until booking opens, in ms */
  remainingMs: number
  pending: PendingBooking | null
}

/**
 * The action available to a logged-in user: book, join the waiting list, or cancel. Costs, a time conflict or a missing
 * consent must be confirmed first, in a single step.
 */
export function BookingActions({ course, isOver, isOpen, isBookable, isChecking, remainingMs, pending }: Props) {
  const { t } = useTranslation(['bookings', 'own-bookings'])
  const { days, clock } = countdownParts(remainingMs)
  const isOnline = useOnline(state => state.isOnline)
  const agreed = useBookings(state => state.agreed.get(course.id)) ?? ''
  const agree = useBookings(state => state.agree)
  const clashes = useClashes(course)
  const consent = useAttendanceConsent(course)
  const [isStep, setIsStep] = useState(false)

  if (pending) {
    return (
      <Button look={pending.action === 'cancel' ? 'text' : 'primary'} isWide disabled aria-busy="true">
        <span className={styles({ base: 'spinner' })} aria-hidden />
        {t(`action.${pending.phase}`)}
      </Button>
    )
  }
  if (course.bookingStatus !== BOOKING_STATUS.NotBooked) {
    return (
      <>
        {course.bookingStatus === BOOKING_STATUS.Waitinglist && !isOver && <WaitingOdds course={course} />}
        <OwnRequest course={course} />
        <CancelButton course={course} isOver={isOver} look="text" />
      </>
    )
  }
  if (!isOnline && !isStep) return <CheckAgain courseId={course.id} />
  const isDirect = course.directlyBookable || course.participants > course.currentParticipants
  const opens = `${formatDate(course.bookableFrom)}, ${formatTime(course.bookableFrom)}`
  const amount = course.price?.amount ?? 0
  const isPaid = amount > 0
  const agreement = bookingTermsKey(amount, clashes)
  const isAgreed = agreed === agreement && !consent.isNeeded
  // Before booking opens, the user can confirm in advance, so that booking takes only one tap later.
  const isToPrepare = !isOpen && !isAgreed && course.obstacle === 'notOpen'
  const isPrepared = !isOpen && isAgreed && agreed !== '' && course.obstacle === 'notOpen'
  const label = t(isDirect ? 'action.book' : 'action.joinWaitingList')
  return (
    <>
      {isToPrepare ? (
        <Button look="ghost" isWide onClick={() => setIsStep(true)}>
          {t('action.prepare')}
        </Button>
      ) : (
        <Button
          look="primary"
          isWide
          disabled={!isBookable}
          data-prepared={isPrepared || undefined}
          onClick={() => (isAgreed ? bookCourse(course.id) : setIsStep(true))}
        >
          {!isOpen
            ? isPrepared
              ? t('own-bookings:step.prepared', {
                  remaining: [days > 0 && t('countdown.days', { count: days }), clock].filter(Boolean).join(' '),
                })
              : t('action.bookFrom', { when: opens })
            : isChecking && !isBookable
              ? t('action.checking')
              : isPaid && isBookable && isDirect
                ? t(isAgreed ? 'action.bookPaid' : 'action.withPrice', {
                    label,
                    amount: formatMoney(amount),
                  })
                : label}
        </Button>
      )}
      {isStep && (
        <Suspense>
          <BookingConfirmation
            course={course}
            clashes={clashes}
            isDirect={isDirect}
            isOpen={isOpen}
            onClose={() => setIsStep(false)}
            isConsentNeeded={consent.isNeeded}
            onConfirm={async () => {
              if (consent.isNeeded && !(await consent.give())) return
              setIsStep(false)
              agree(course.id, agreement)
              if (isOpen) bookCourse(course.id)
            }}
          />
        </Suspense>
      )}
    </>
  )
}

/** Button that requests the course again. Shown offline. */
function CheckAgain({ courseId }: { courseId: number }) {
  const { t } = useTranslation('bookings')
  const [isAsking, setIsAsking] = useState(false)
  const checkAgain = () => {
    setIsAsking(true)
    loadCourse(courseId)
      // If the request fails, the course and the button remain unchanged.
      .catch(() => undefined)
      .finally(() => setIsAsking(false))
  }

  return (
    <Button look="primary" isWide disabled={isAsking} onClick={checkAgain}>
      {t(isAsking ? 'action.checking' : 'action.offline')}
    </Button>
  )
}
