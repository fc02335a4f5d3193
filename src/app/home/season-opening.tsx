import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { late } from '#components/lazy-screen.tsx'
import { piece } from '#components/pieces.ts'
import { formatDate, formatTime, nameIn, pickText } from '#contract/words.ts'
import { nextOpening } from '#features/content/model.ts'
import { loadProgramme, useSeasons } from '#features/courses/resource.ts'
import { countdownParts, useCountdown } from '#lib/countdown.ts'
import { instantOf, wallClockMs, weekdayOf } from '#lib/format.ts'
import { useLanguage } from '#lib/use-language.ts'
import { useWallClock } from '#lib/use-now.ts'

const FollowButton = late(() => import('#features/reminders/components/follow-button.tsx').then(m => m.FollowButton))

/** Countdown to the next season's booking opening, by the server's clock. */
export function SeasonOpening() {
  const { t } = useTranslation(['content', 'courses'])
  const language = useLanguage()
  const seasons = useSeasons(state => state.data)
  const season = nextOpening(seasons, instantOf(useWallClock()))
  const remainingMs = useCountdown(season && instantOf(wallClockMs(season.bookableFrom)))
  const isCounting = season !== null && remainingMs >= 0
  useEffect(() => {
    // The season has opened, or the user left the page: refetch the courses in both cases.
    if (isCounting) return () => void loadProgramme()
  }, [isCounting])

  if (!isCounting) return null
  const { days, clock } = countdownParts(remainingMs)
  const description = pickText(language, season.description, season.description2)
  const name = nameIn(language, season)
  return (
    <section className={piece('notice', 'sunny')}>
      <Link href={`/courses?season=${season.id}`} className={piece('spread', 'plain')}>
        <span>
          <b className={piece('heading')}>{t('home.opens', { season: name })}</b>
          {t('home.opensAt', {
            day: t(`courses:day.long.${weekdayOf(season.bookableFrom)}`),
            date: formatDate(season.bookableFrom),
            time: formatTime(season.bookableFrom),
          })}
          {description && <small className={piece('block')}>{description}</small>}
        </span>
        <strong className={piece('time')} role="timer" aria-live="off">
          {days > 0 && `${t('home.days', { count: days })} `}
          {clock}
        </strong>
      </Link>
      <div className={piece('tap', 'above')}>
        <FollowButton kind="season" id={season.id} name={name} isPill />
      </div>
    </section>
  )
}
