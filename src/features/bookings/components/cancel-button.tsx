import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '#components/button.tsx'
import { ConfirmDialog } from '#components/confirm-dialog.tsx'
import type { Course } from '#contract/courses.ts'
import { isCancellableAt } from '#contract/lessons.ts'
import { BOOKING_STATUS } from '#contract/values.ts'
import { nameIn } from '#contract/words.ts'
import { useLanguage } from '#lib/use-language.ts'
import { useWallClock } from '#lib/use-now.ts'
import { useBookings } from '../store.ts'

type Props = { course: Course; isOver: boolean; look?: 'ghost' | 'text' }

/** Cancels a place or leaves the waiting list, after asking. */
export function CancelButton({ course, isOver, look = 'ghost' }: Props) {
  const { t } = useTranslation('bookings')
  const cancel = useBookings(state => state.cancel)
  const phase = useBookings(state => state.pending.get(course.id)?.phase)
  const name = nameIn(useLanguage(), course)
  const nowWallMs = useWallClock()
  const [isOpen, setIsOpen] = useState(false)
  const isWaiting = course.bookingStatus === BOOKING_STATUS.Waitinglist
  const isDisabled = !isCancellableAt(course, nowWallMs) || phase !== undefined
  return (
    <>
      <Button
        look={look}
        isWide={look === 'ghost'}
        disabled={isDisabled}
        hidden={isDisabled && look === 'text'}
        onClick={() => setIsOpen(true)}
      >
        {t(phase ? `action.${phase}` : isWaiting ? 'action.leave' : 'action.cancel')}
      </Button>
      {isOpen && (
        <ConfirmDialog
          title={t(isWaiting ? 'confirm.titleLeave' : 'confirm.title')}
          text={t(
            `confirm.${isWaiting ? 'textLeave' : isOver ? 'textOver' : course.currentWaiting > 0 ? 'textNext' : 'text'}`,
            {
              name,
            },
          )}
          confirmLabel={t(isWaiting ? 'confirm.yesLeave' : 'confirm.yes')}
          cancelLabel={t('confirm.no')}
          onCancel={() => setIsOpen(false)}
          onConfirm={() => {
            setIsOpen(false)
            cancel(course.id)
          }}
        />
      )}
    </>
  )
}
