import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Course } from '#contract/endpoints/courses.ts'
import { isCancellableAt } from '#contract/lessons.ts'
import { BOOKING_STATUS } from '#contract/values.ts'
import { nameInLanguage } from '#contract/words.ts'
import { useLanguage } from '#lib/use-language.ts'
import { useLocalTimeMs } from '#lib/use-now.ts'
import { Button } from '#ui/button.tsx'
import { ConfirmDialog } from '#ui/confirm-dialog.tsx'
import { isCancellationUndoable, isLastPlace } from '../model.ts'
import { useBookings } from '../store.ts'
import { cancelBooking } from '../sync.ts'

type QuestionProps = { course: Course; isOver: boolean; onClose: () => void }

function CancelQuestion({ course, isOver, onClose }: QuestionProps) {
  const { t } = useTranslation('own-bookings')
  const name = nameInLanguage(useLanguage(), course)
  const isWaiting = course.bookingStatus === BOOKING_STATUS.Waitinglist
  const text = isWaiting
    ? 'textLeave'
    : isOver
      ? 'textOver'
      : course.currentWaiting > 0
        ? 'textNext'
        : isLastPlace(course)
          ? 'textLast'
          : 'text'
  return (
    <ConfirmDialog
      title={t(isWaiting ? 'confirm.titleLeave' : 'confirm.title')}
      text={t(`confirm.${text}`, { name })}
      confirmLabel={t(isWaiting ? 'confirm.yesLeave' : 'confirm.yes')}
      cancelLabel={t('confirm.no')}
      onCancel={onClose}
      onConfirm={() => {
        onClose()
        cancelBooking(course.id)
      }}
    />
  )
}

type Props = { course: Course; isOver: boolean; look?: 'ghost' | 'text' }

export function CancelButton({ course, isOver, look = 'ghost' }: Props) {
  const { t } = useTranslation('bookings')
  const phase = useBookings(state => state.pending.get(course.id)?.phase)
  const nowWallMs = useLocalTimeMs()
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
        onClick={() =>
          isCancellationUndoable(course) && !isLastPlace(course) && !isOver
            ? cancelBooking(course.id, course.price?.amount ?? 0)
            : setIsOpen(true)
        }
      >
        {t(phase ? `action.${phase}` : isWaiting ? 'action.leave' : 'action.cancel')}
      </Button>
      {isOpen && (
        <Suspense>
          <CancelQuestion course={course} isOver={isOver} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
