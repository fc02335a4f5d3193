import { useTranslation } from 'react-i18next'
import buttons from '#components/button.module.css'
import { Dialog } from '#components/dialog.tsx'
import type { Course } from '#contract/courses.ts'
import { formatDate, formatMoney, formatTime, nameIn } from '#contract/words.ts'
import { wallClockMs, weekdayOf } from '#lib/format.ts'
import { useLanguage } from '#lib/use-language.ts'
import { useWallClock } from '#lib/use-now.ts'
import { findOverlap } from '../model.ts'
import { useBookings } from '../store.ts'
import classes from './booking-step.module.css'

type Props = {
  course: Course
  /** a place, not a spot on the waiting list */
  isDirect: boolean
  /** before the opening the step is taken now, and the booking itself later with one tap */
  isOpen: boolean
  onConfirm: () => void
  onClose: () => void
}

/** What a paid booking binds to, before it binds: lessons, sum, the day until which it can be undone, who is billed. */
export function BookingStep({ course, isDirect, isOpen, onConfirm, onClose }: Props) {
  const { t } = useTranslation(['bookings', 'courses'])
  const language = useLanguage()
  const own = useBookings(state => state.courses)
  const overlap = findOverlap(course, own ?? [])
  const nowWallMs = useWallClock()
  const left = course.dates.filter(date => wallClockMs(date) > nowWallMs)
  const first = left[0] ?? course.start
  const { price, cancelUntil } = course
  const amount = formatMoney(price?.amount ?? 0)
  const action = !isOpen ? 'step.prepare' : isDirect ? 'step.book' : 'step.wait'
  return (
    <Dialog
      kind="sheet"
      title={t(isDirect ? 'step.title' : 'step.titleWait')}
      closeLabel={t('confirm.close')}
      onClose={onClose}
      footer={
        <div className={classes.actions}>
          <button type="button" className={`${buttons.button} ${buttons.primary} ${buttons.wide}`} onClick={onConfirm}>
            {t(action, { amount })}
          </button>
          <button type="button" className={`${buttons.button} ${buttons.plain} ${buttons.wide}`} onClick={onClose}>
            {t('confirm.no')}
          </button>
        </div>
      }
    >
      <p className={classes.name}>{nameIn(language, course)}</p>
      <dl className={classes.facts}>
        <div>
          <dt>{t('step.first')}</dt>
          <dd>
            {t(`courses:day.short.${weekdayOf(first)}`)} {formatDate(first)}, {formatTime(course.startTime)}
          </dd>
        </div>
        <div>
          <dt>{t('step.lessons')}</dt>
          <dd>
            {left.length === course.dates.length
              ? t('step.all', { count: course.dates.length })
              : t('step.left', { left: left.length, count: course.dates.length })}
          </dd>
        </div>
        {price && price.energyFee > 0 && (
          <>
            <div>
              <dt>{t(price.kind === 'external' ? 'step.feeExternal' : 'step.fee')}</dt>
              <dd>{formatMoney(price.fee)}</dd>
            </div>
            <div>
              <dt>{t('step.energyFee')}</dt>
              <dd>{formatMoney(price.energyFee)}</dd>
            </div>
          </>
        )}
        <div className={classes.total}>
          <dt>{t('step.total')}</dt>
          <dd>{amount}</dd>
        </div>
      </dl>
      {price?.freeWithAttendance && <p>{t('step.freeWithAttendance')}</p>}
      <p>
        {!isDirect
          ? t('step.cancelWaiting')
          : cancelUntil
            ? t('step.cancelUntil', { date: formatDate(cancelUntil) })
            : t('step.notCancellable')}
      </p>
      <p>{t('step.billed')}</p>
      {overlap && <p className={classes.warning}>{t('ready.overlap', { name: nameIn(language, overlap) })}</p>}
    </Dialog>
  )
}
