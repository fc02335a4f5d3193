import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { formatDate, formatTime, nameIn } from '#contract/words.ts'
import { useCourses } from '#features/courses/store.ts'
import { clockOffsetMs } from '#lib/clock.ts'
import { wallClockMs, weekdayOf } from '#lib/format.ts'
import { instantOf } from '#lib/portal-time.ts'
import { useLanguage } from '#lib/use-language.ts'
import { nextOpening, splitDuration } from '../model.ts'
import classes from './season-opening.module.css'

const pad = (value: number) => String(value).padStart(2, '0')

/** Counts down to the next season's first moment of booking, by the server's clock. */
export function SeasonOpening() {
  const { t } = useTranslation(['content', 'courses'])
  const language = useLanguage()
  const { seasons, refresh } = useCourses()
  const [now, setNow] = useState(() => Date.now() + clockOffsetMs())
  const season = nextOpening(seasons, now)
  const seasonId = season?.id
  useEffect(() => {
    if (seasonId === undefined) return
    const timer = setInterval(() => setNow(Date.now() + clockOffsetMs()), 1000)
    return () => {
      clearInterval(timer)
      // It has opened, or the page was left: either way the next look shall be a fresh one.
      refresh()
    }
  }, [seasonId, refresh])

  if (!season) return null
  const { days, hours, minutes, seconds } = splitDuration(instantOf(wallClockMs(season.bookableFrom)) - now)
  return (
    <Link href={`/courses?season=${season.id}`} className={classes.opening}>
      <span>
        <b>{t('home.opens', { season: nameIn(language, season) })}</b>
        {t('home.opensAt', {
          day: t(`courses:day.long.${weekdayOf(season.bookableFrom)}`),
          date: formatDate(season.bookableFrom),
          time: formatTime(season.bookableFrom),
        })}
      </span>
      <strong role="timer" aria-live="off">
        {days > 0 && <i>{t('home.days', { count: days })}</i>}
        {pad(hours)}:{pad(minutes)}:{pad(seconds)}
      </strong>
    </Link>
  )
}
