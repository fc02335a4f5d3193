import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import { Button } from '#components/button.tsx'
import { Dialog } from '#components/dialog.tsx'
import { returnDay } from '#contract/lessons.ts'
import { formatDate, nameIn } from '#contract/words.ts'
import { BookedCard } from '#features/reminders/components/booked-card.tsx'
import { useLanguage } from '#lib/use-language.ts'
import { useWallClock } from '#lib/use-now.ts'
import { type Outcome, useBookings } from '../store.ts'
import { BookingCelebration } from './booking-celebration.tsx'

const TEXTS: Record<Outcome['kind'], string> = {
  booked: 'outcome.booking_booked',
  waiting: 'outcome.booking_booked_waiting',
  cancelled: 'outcome.booking_cancel',
}

/** Confirmed result of a booking or cancellation, on any page. */
export function OutcomeDialog({ outcome: { kind, course } }: { outcome: Outcome }) {
  const { t } = useTranslation(['own-bookings', 'bookings'])
  const nowWallMs = useWallClock()
  const freeUntil = returnDay(course, nowWallMs)
  const [location, navigate] = useLocation()
  const dismiss = useBookings(state => state.dismiss)
  const name = nameIn(useLanguage(), course)
  return (
    <Dialog
      title={t(`outcome.${kind}`)}
      onClose={dismiss}
      footer={
        <>
          {kind !== 'cancelled' && location !== '/courses/booked' && (
            <Button
              look="ghost"
              isWide
              onClick={() => {
                dismiss()
                navigate('/courses/booked')
              }}
            >
              {t('outcome.mine')}
            </Button>
          )}
          <Button look="plain" isWide onClick={dismiss}>
            {t('outcome.ok')}
          </Button>
        </>
      }
    >
      {kind === 'booked' && <BookingCelebration course={course} />}
      <p>{t(TEXTS[kind], { name, position: course.waitingListPosition })}</p>
      {kind === 'booked' && freeUntil && <p>{t('bookings:note.cancelUntil', { date: formatDate(freeUntil) })}</p>}
      {kind !== 'cancelled' && (
        // The result is shown without waiting for the texts of the card.
        <Suspense>
          <BookedCard course={course} />
        </Suspense>
      )}
    </Dialog>
  )
}
