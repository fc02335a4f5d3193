import { useTranslation } from 'react-i18next'
import { nameIn } from '#contract/words.ts'
import { useLanguage } from '#lib/use-language.ts'
import { formatWallClockTime } from '../model.ts'
import { type KeyFigure, KeyFigures } from './figures.tsx'
import type { TodayData } from './today-acts.ts'

/**
 * The number of bookings at the end of each day, derived from the current number and the new bookings per day.
 */
function bookingCurve(daily: readonly number[], booked: number): number[] {
  let total = booked - daily.reduce((sum, count) => sum + count, 0)
  return daily.map(count => {
    total += count
    return total
  })
}

/** Key figures on the Today screen: bookings, people on waiting lists, attendance, and the next opening of booking. */
export function TodayFigures({ today: { figures, openings, unrecorded } }: { today: TodayData }) {
  const { t } = useTranslation('office')
  const language = useLanguage()
  if (!figures) return null
  const { places, booked, waiting, waitingCourses, expected, present, daily } = figures
  const count = (value: number) => value.toLocaleString(language)
  const next = openings?.[0]
  const all: (KeyFigure | false)[] = [
    {
      key: 'places',
      value: count(booked),
      of: count(places),
      label: t('today.figure.places'),
      spark: bookingCurve(daily, booked),
      href: '/office/season',
    },
    {
      key: 'daily',
      value: count(daily.reduce((sum, one) => sum + one, 0)),
      label: t('today.figure.daily'),
      spark: daily,
    },
    { key: 'waiting', value: count(waiting), label: t('today.figure.waiting', { count: waitingCourses }) },
    expected > 0 && {
      key: 'present',
      value: `${Math.round((100 * present) / expected)} %`,
      label: t('today.figure.present'),
    },
    unrecorded !== undefined && {
      key: 'unrecorded',
      value: count(unrecorded.length),
      label: t('today.figure.unrecorded'),
    },
    next !== undefined && {
      key: 'opening',
      value: formatWallClockTime(next.at, language).slice(3, 9),
      label: t('today.figure.opening', { name: nameIn(language, next), time: next.at.slice(11) }),
      href: `/office/season?season=${next.seasonId}`,
    },
  ]
  return <KeyFigures label={t('today.figure.title')} figures={all.filter(one => one !== false)} />
}
