import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { formatDate, formatTime, nameInLanguage, textInLanguage } from '#contract/words.ts'
import { nextBookingOpening } from '#features/content/model.ts'
import { loadProgramme, useSeasons } from '#features/courses/resource.ts'
import { countdownParts, useCountdown } from '#lib/countdown.ts'
import { instantOfLocalTimeMs, toLocalTimeMs, weekdayOf } from '#lib/format.ts'
import { useLanguage } from '#lib/use-language.ts'
import { useLocalTimeMs } from '#lib/use-now.ts'
import { Notice, TapTarget, Text } from '#ui/layout.tsx'
import { lazyComponentAfterFirstRender } from '#ui/lazy-screen.tsx'
import { styles } from '#ui/styles.ts'

const FollowButton = lazyComponentAfterFirstRender(() =>
  import('#features/reminders/components/follow-button.tsx').then(m => m.FollowButton),
)

/** Countdown to the next season's booking opening, synchronized with the server's clock. */
export function SeasonOpening() {
  const { t } = useTranslation(['content', 'courses'])
  const language = useLanguage()
  const seasons = useSeasons(state => state.data)
  const season = nextBookingOpening(seasons, instantOfLocalTimeMs(useLocalTimeMs()))
  const remainingMs = useCountdown(season && instantOfLocalTimeMs(toLocalTimeMs(season.bookableFrom)))
  const isCounting = season !== null && remainingMs >= 0
  useEffect(() => {
    // Refetches the courses when the season has opened and when the user leaves the page.
    if (isCounting) return () => void loadProgramme()
  }, [isCounting])

  if (!isCounting) return null
  const { days, clock } = countdownParts(remainingMs)
  const description = textInLanguage(language, season.description, season.description2)
  const name = nameInLanguage(language, season)
  return (
    <Notice as="section" fill="sun">
      <Link href={`/courses?season=${season.id}`} className={styles({ base: 'row', justify: 'between', plain: true })}>
        <span>
          <Text as="b" variant="heading">
            {t('home.opens', { season: name })}
          </Text>
          {t('home.opensAt', {
            day: t(`courses:day.long.${weekdayOf(season.bookableFrom)}`),
            date: formatDate(season.bookableFrom),
            time: formatTime(season.bookableFrom),
          })}
          {description && (
            <Text as="small" block>
              {description}
            </Text>
          )}
        </span>
        <Text as="strong" variant="countdown" role="timer" aria-live="off">
          {days > 0 && `${t('home.days', { count: days })} `}
          {clock}
        </Text>
      </Link>
      <TapTarget as="div" mt="l">
        <FollowButton kind="season" id={season.id} name={name} isPill />
      </TapTarget>
    </Notice>
  )
}
