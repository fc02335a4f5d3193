import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { lastCancelDay } from '#contract/lessons.ts'
import { formatDeadline, nameInLanguage } from '#contract/words.ts'
import { BookingFollowUpCard } from '#features/reminders/components/booking-follow-up-card.tsx'
import { useLanguage } from '#lib/use-language.ts'
import { useLocalTimeMs } from '#lib/use-now.ts'
import { Button } from '#ui/button.tsx'
import { categoryKey } from '#ui/category-color.ts'
import { ConfirmDialog } from '#ui/confirm-dialog.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { type BookingResult, useBookings } from '../store.ts'
import { bookCourse, undoCancellation } from '../sync.ts'
import { BookingCelebration } from './booking-celebration.tsx'

const TEXTS: Record<BookingResult['kind'], string> = {
  placeGone: 'outcome.placeGoneText',
  booked: 'outcome.booking_booked',
  waiting: 'outcome.booking_booked_waiting',
  cancelled: 'outcome.booking_cancel',
}

/** Dialog that reports the confirmed result of a booking or cancellation, whatever page is open. */
export function BookingResultDialog({ outcome: { kind, course, isUndoable } }: { outcome: BookingResult }) {
  const { t } = useTranslation(['own-bookings', 'bookings'])
  const nowWallMs = useLocalTimeMs()
  const freeUntil = lastCancelDay(course, nowWallMs)
  const dismiss = useBookings(state => state.dismiss)
  const name = nameInLanguage(useLanguage(), course)
  const text = t(TEXTS[kind], { name, position: course.waitingListPosition })
  if (kind === 'placeGone') {
    return (
      <ConfirmDialog
        title={t('outcome.placeGone')}
        text={t(TEXTS[kind], { name, position: course.currentWaiting + 1 })}
        confirmLabel={t('outcome.join')}
        cancelLabel={t('confirm.no')}
        onCancel={dismiss}
        onConfirm={() => {
          dismiss()
          bookCourse(course.id)
        }}
      />
    )
  }
  if (kind === 'cancelled') {
    const undo = () => {
      dismiss()
      undoCancellation(course.id)
    }
    return (
      <Dialog
        title={t('outcome.cancelled')}
        onClose={dismiss}
        footer={
          <>
            {isUndoable && (
              <Button isWide onClick={undo}>
                {t('outcome.undo')}
              </Button>
            )}
            <Button isWide onClick={dismiss}>
              {t('outcome.ok')}
            </Button>
          </>
        }
      >
        <p>{text}</p>
      </Dialog>
    )
  }
  return (
    <Dialog
      kind="sheet"
      category={categoryKey(course.categoryIcon, course.courseCategoryId)}
      title={t(`outcome.${kind}`)}
      onClose={dismiss}
    >
      {kind === 'booked' && <BookingCelebration course={course} />}
      <p>
        {text}
        {kind === 'booked' && freeUntil && ` ${t('bookings:note.cancelUntil', { date: formatDeadline(freeUntil) })}`}
      </p>
      {/* The dialog appears without waiting for the texts of its rows. */}
      <Suspense>
        <BookingFollowUpCard course={course} isBooked={kind === 'booked'} />
      </Suspense>
    </Dialog>
  )
}
