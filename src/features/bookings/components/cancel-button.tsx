import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import buttons from '#components/button.module.css'
import { Dialog } from '#components/dialog.tsx'
import type { Course } from '#contract/courses.ts'
import { BOOKING_STATUS } from '#contract/values.ts'
import { pickText } from '#lib/language.ts'
import { useOnline } from '#lib/online.ts'
import { useLanguage } from '#lib/use-language.ts'
import { useBookings } from '../store.ts'

/** Cancels a place or leaves the waiting list, after asking. */
export function CancelButton({ course, className }: { course: Course; className?: string | undefined }) {
  const { t } = useTranslation('bookings')
  const { cancel, pending } = useBookings()
  const isOnline = useOnline(state => state.isOnline)
  const name = pickText(useLanguage(), course.name, course.name2)
  const [isOpen, setIsOpen] = useState(false)
  const isWaiting = course.bookingStatus === BOOKING_STATUS.Waitinglist
  const phase = pending.get(course.id)?.phase
  return (
    <>
      <button
        type="button"
        className={className}
        disabled={!course.cancellabel || phase !== undefined}
        onClick={() => setIsOpen(true)}
      >
        {t(phase ? `action.${phase}` : isWaiting ? 'action.leave' : 'action.cancel')}
      </button>
      {isOpen && (
        <Dialog
          title={t(isWaiting ? 'confirm.titleLeave' : 'confirm.title')}
          closeLabel={t('confirm.close')}
          onClose={() => setIsOpen(false)}
          footer={
            <>
              <button
                type="button"
                className={`${buttons.button} ${buttons.ghost} ${buttons.wide}`}
                onClick={() => setIsOpen(false)}
              >
                {t('confirm.no')}
              </button>
              <button
                type="button"
                className={`${buttons.button} ${buttons.primary} ${buttons.wide}`}
                disabled={!isOnline}
                onClick={() => {
                  setIsOpen(false)
                  cancel(course.id)
                }}
              >
                {t(isWaiting ? 'confirm.yesLeave' : 'confirm.yes')}
              </button>
            </>
          }
        >
          <p>{t(isWaiting ? 'confirm.textLeave' : 'confirm.text', { name })}</p>
        </Dialog>
      )}
    </>
  )
}
