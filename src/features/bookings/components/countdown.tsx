import { useTranslation } from 'react-i18next'
import type { DateTimeValue } from '#contract/values.ts'
import { formatDate, formatTime } from '#contract/words.ts'
import { countdownParts } from '#lib/countdown.ts'
import { weekdayOf } from '#lib/format.ts'
import { useClockOffset } from '#lib/use-now.ts'
import { Notice, Text } from '#ui/layout.tsx'
import { COUNTDOWN_URGENT_MS, countdownAnnouncement } from '../model.ts'
import classes from './countdown.module.css'

/** Differences between device and server clock that are smaller than this are not shown. */
const NOTABLE_MS = 2000

/** Countdown to the opening of booking, announced to screen readers only at a few points in time. */
export function Countdown({ opens, remainingMs }: { opens: DateTimeValue; remainingMs: number }) {
  const { t } = useTranslation(['bookings', 'courses'])
  const offsetMs = useClockOffset()
  const { days, clock } = countdownParts(remainingMs)
  const mark = countdownAnnouncement(remainingMs)
  const seconds = Math.round(Math.abs(offsetMs) / 1000)
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
          {t('countdown.serverClock')} · {t(offsetMs > 0 ? 'countdown.behind' : 'countdown.ahead', { count: seconds })}
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
