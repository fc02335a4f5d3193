import { useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Course } from '#contract/endpoints/courses.ts'
import { isCancellableAt, lastCancelDay } from '#contract/lessons.ts'
import { BOOKING_STATUS, type DateTimeValue } from '#contract/values.ts'
import { formatDate, formatDeadline, formatTime } from '#contract/words.ts'
import { isFullForUser } from '#features/courses/model.ts'
import { loadCourse } from '#features/courses/resource.ts'
import { useSession } from '#features/session/store.ts'
import { countdownParts, useCountdown } from '#lib/countdown.ts'
import { instantOfLocalTimeMs, toLocalTimeMs, weekdayOf } from '#lib/format.ts'
import { useClockOffset, useLocalTimeMs } from '#lib/use-now.ts'
import { ButtonLink } from '#ui/button.tsx'
import { Notice, Row, Stack, Text } from '#ui/layout.tsx'
import { COUNTDOWN_URGENT_MS, countdownAnnouncement, loginRoute, roundedDuration } from '../model.ts'
import { useBookedCourses } from '../resource.ts'
import { useBookings } from '../store.ts'
import classes from './booking-block.module.css'
import { BookingPreparation } from './booking-preparation.tsx'
import { BookingState } from './booking-state.tsx'
import { lazyBookingActions } from './lazy-booking-actions.ts'

/** Links to the login page, which redirects back to this course after the login, and to the registration page. */
function VisitorActions({ courseId }: { courseId: number }) {
  const { t } = useTranslation('bookings')
  return (
    <Row className={classes.actions}>
      <ButtonLink href={loginRoute(courseId)} look="primary" isWide>
        {t('action.login')}
      </ButtonLink>
      <ButtonLink href="/register1" look="ghost" isWide>
        {t('action.register')}
      </ButtonLink>
    </Row>
  )
}

/** Jitter for refetching the course when booking opens; spreads the load. */
const SPREAD_MS = 3000
const BookingActions = lazyBookingActions.screen

type Props = {
  course: Course
  isOver: boolean
  /** whether the course is being refetched */
  isChecking: boolean
}

/**
 * The booking section of a course. Before booking opens, it shows a countdown and what can be prepared; afterwards, the
 * available action, which sticks to the bottom on phones. Users who have booked see the state of their booking.
 */
export function BookingSection({ course, isOver, isChecking }: Props) {
  const { t } = useTranslation('bookings')
  const session = useSession(state => state.session)
  const pending = useBookings(state => state.pending.get(course.id))
  const opensAt = useMemo(() => instantOfLocalTimeMs(toLocalTimeMs(course.bookableFrom)), [course.bookableFrom])
  const isCounting = !course.seasonBookable && !isOver
  const remainingMs = useCountdown(isCounting ? opensAt : null, true)
  const isOpen = course.seasonBookable || remainingMs < 0
  const hasJustOpened = isCounting && isOpen
  const [wasCounting, setWasCounting] = useState(!isOpen)
  // The first response may correct a clock by which booking had opened.
  if (!isOpen && !wasCounting) setWasCounting(true)

  // The button is enabled immediately; the refetched course then shows whether this user may book.
  useEffect(() => {
    if (!hasJustOpened) return
    // If the refetch fails, the response to the booking request states why booking is not possible.
    const timer = setTimeout(() => loadCourse(course.id).catch(() => undefined), Math.random() * SPREAD_MS)
    return () => clearTimeout(timer)
  }, [hasJustOpened, course.id])

  const isMine = course.bookingStatus !== BOOKING_STATUS.NotBooked
  const nowWallMs = useLocalTimeMs()
  const freeUntil = lastCancelDay(course, nowWallMs)
  // A booking made at the last minute can still be cancelled after the course has ended.
  const isCancellable = isMine && isCancellableAt(course, nowWallMs)
  // The stored copy of the user's courses also provides the link to the online room when offline.
  useEffect(() => {
    if (isMine && useBookedCourses.getState().phase === 'loading') useBookedCourses.load()
  }, [isMine])
  const isFreed = hasJustOpened && ['', 'notOpen'].includes(course.obstacle)
  const isBookable = isOpen && !isMine && (course.bookable || isFreed)
  return (
    <Stack as="section" gap="l" className={classes.card} aria-label={t('state.title')}>
      {!isOpen && !isOver && !isMine && (
        <>
          <Countdown opens={course.bookableFrom} remainingMs={remainingMs} />
          <BookingPreparation course={course} />
        </>
      )}
      <p role="status" className="visually-hidden">
        {wasCounting && isOpen && t('countdown.open')}
      </p>
      <div
        className={isMine ? classes.mine : classes.bar}
        data-waiting={course.bookingStatus === BOOKING_STATUS.Waitinglist || undefined}
      >
        <BookingState course={course} isOver={isOver} isOpen={isOpen} isChecking={isChecking} />
        {session && (isMine ? isCancellable || pending : !isOver && !isFullForUser(course)) && (
          // The keyboard focus continues here after a login.
          <Row className={classes.actions}>
            <BookingActions
              course={course}
              isOver={isOver}
              isOpen={isOpen}
              isBookable={isBookable}
              isChecking={isChecking}
              remainingMs={remainingMs}
              pending={pending ?? null}
            />
          </Row>
        )}
        {!isOver && !session && <VisitorActions courseId={course.id} />}
        {!isOver && !isMine && !isFullForUser(course) && (
          <Text size="s" flush only="wide">
            {freeUntil ? t('note.cancelUntil', { date: formatDeadline(freeUntil) }) : t('note.cancellation')}
          </Text>
        )}
      </div>
    </Stack>
  )
}

/** Differences between the device's and the server's clock that are smaller than this are not displayed. */
const NOTABLE_MS = 2000

/** Countdown to the opening of booking, announced to screen readers only at a few points in time. */
function Countdown({ opens, remainingMs }: { opens: DateTimeValue; remainingMs: number }) {
  const { t, i18n } = useTranslation(['bookings', 'courses'])
  const offsetMs = useClockOffset()
  const { days, clock } = countdownParts(remainingMs)
  const mark = countdownAnnouncement(remainingMs)
  const time = roundedDuration(i18n.language, Math.abs(offsetMs))
  return (
    <Notice as="section" flush edge className={classes.countdown} aria-label={t('countdown.remaining')}>
      <Text as="h2" variant="name">
        {t('countdown.title', {
          day: t(`courses:day.long.${weekdayOf(opens)}`),
          date: formatDate(opens),
          time: formatTime(opens),
        })}
      </Text>
      <p
        role="timer"
        aria-live="off"
        className={classes.time}
        data-last={remainingMs < COUNTDOWN_URGENT_MS || undefined}
      >
        {days > 0 && <span>{t('countdown.days', { count: days })}</span>} <b>{clock}</b>
      </p>
      {Math.abs(offsetMs) >= NOTABLE_MS && (
        <Text size="s" className={classes.clock}>
          {t('countdown.serverClock')} · {t(offsetMs > 0 ? 'countdown.behind' : 'countdown.ahead', { time })}
        </Text>
      )}
      <p role="status" className="visually-hidden">
        {mark !== null &&
          (mark >= 60
            ? t('countdown.spokenMinutes', { count: mark / 60 })
            : t('countdown.spokenSeconds', { count: mark }))}
      </p>
    </Notice>
  )
}
