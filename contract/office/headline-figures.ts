import type { ResponseOf } from '../endpoint.ts'
import type { CalendarDay, DateTimeValue } from '../values.ts'
import { formatMoney } from '../words.ts'
import type { getReport } from './report.ts'

type SeasonFigures = ResponseOf<typeof getReport>

/** Figures above a report, in the order in which they are shown. */
export const HEADLINE_FIGURES = ['utilisation', 'people', 'noShows', 'charged'] as const
export type HeadlineFigure = (typeof HEADLINE_FIGURES)[number]

/** The figures above a report; null where nothing has been counted or a small group is hidden. */
export function headlineFigures({
  utilisation,
  participants,
  noShows,
  money,
}: Pick<SeasonFigures, 'utilisation' | 'participants' | 'noShows' | 'money'>): Record<HeadlineFigure, number | null> {
  const share = (part: number, whole: number) => (whole === 0 ? null : part / whole)
  const absent = sumBy(noShows, one => one.absent)
  return {
    utilisation: share(
      sumBy(utilisation, one => one.taken),
      sumBy(utilisation, one => one.places),
    ),
    people: participants.total,
    noShows: share(absent, absent + sumBy(noShows, one => one.present)),
    charged: money.charged === 0 ? null : money.charged,
  }
}

/** Formats the figures above a report, in the German format in both languages. */
export function formatHeadlineFigures(figures: Record<HeadlineFigure, number | null>): Record<HeadlineFigure, string> {
  const show = (value: number | null, format: (value: number) => string) => (value === null ? '–' : format(value))
  const percent = (value: number) => value.toLocaleString('de-DE', { style: 'percent', maximumFractionDigits: 0 })
  return {
    utilisation: show(figures.utilisation, percent),
    people: show(figures.people, value => value.toLocaleString('de-DE')),
    noShows: show(figures.noShows, percent),
    charged: show(figures.charged, formatMoney),
  }
}

/** Sums one field over all rows. */
export const sumBy = <Row>(rows: readonly Row[], cellOf: (row: Row) => number): number =>
  rows.reduce((sum, row) => sum + cellOf(row), 0)

const dayNumber = ({ year, month, day }: CalendarDay) => (year * 100 + month) * 100 + day

/**
 * Returns the season to report on, and the one before, with which it is compared.
 * @param seasons ordered by their start
 * @param chosen id of the season; by default, the latest one that has begun
 */
export function findReportSeasons<Season extends { id: number; startsAt: DateTimeValue }>(
  seasons: readonly Season[],
  today: CalendarDay,
  chosen: number | null = null,
): { season: Season | undefined; before: Season | undefined } {
  const season =
    seasons.find(({ id }) => id === chosen) ??
    seasons.findLast(({ startsAt }) => dayNumber(startsAt) <= dayNumber(today)) ??
    seasons[0]
  const before = season && seasons.findLast(({ startsAt }) => dayNumber(startsAt) < dayNumber(season.startsAt))
  return { season, before }
}
