import { useTranslation } from 'react-i18next'
import { sumBy } from '#contract/office/headline-figures.ts'
import { sortWeekdays } from '#contract/words.ts'
import { useLanguage } from '#lib/use-language.ts'
import { formatNumber } from '#office/frame/model.ts'
import { Row } from '#ui/layout.tsx'
import { CANCELLATION_GROUPS, groupCancellations, ratioOrZero, type SeasonReport } from '../report-model.ts'
import { HeatMap, StackedColumnChart } from './charts.tsx'
import { LogTimeLineChart } from './curve-charts.tsx'
import classes from './plot.module.css'
import { Plot } from './plot.tsx'

/** Maximum number of rooms shown in the chart; its table contains all of them. */
const MOST_ROOMS = 9
const WEEK = sortWeekdays([0, 1, 2, 3, 4, 5, 6])

function useWeekdays() {
  const language = useLanguage()
  const format = new Intl.DateTimeFormat(language, { weekday: 'short', timeZone: 'UTC' })
  return (weekday: number) => format.format(Date.UTC(2023, 0, 1 + weekday))
}

/** Chart of demand: number of people per seat, booked or on the waiting list, by weekday and hour. */
export function DemandPlot({ rows }: { rows: SeasonReport['demand'] }) {
  const { t } = useTranslation('office-money')
  const dayOf = useWeekdays()
  const hours = [...new Set(rows.map(({ hour }) => hour))].sort((a, b) => a - b)
  const hourOf = (hour: number) => t('report.hour', { hour })
  const shareOf = ({ booked, waiting, places }: (typeof rows)[number]) => ratioOrZero(booked + waiting, places)
  return (
    <Plot
      title={t('report.demand')}
      unit={t('report.demandUnit')}
      table={{
        columns: [
          t('report.weekday'),
          t('report.time'),
          t('report.places'),
          t('report.booked'),
          t('report.waiting'),
          t('report.perPlace'),
        ],
        rows: rows.map(row => [
          dayOf(row.weekday),
          hourOf(row.hour),
          row.places,
          row.booked,
          row.waiting,
          shareOf(row),
        ]),
      }}
    >
      <HeatMap
        rows={hours.map(hourOf)}
        columns={WEEK.map(dayOf)}
        cells={rows.map(row => ({
          row: hourOf(row.hour),
          column: dayOf(row.weekday),
          value: shareOf(row),
          text: formatNumber(shareOf(row), { minimumFractionDigits: 1, maximumFractionDigits: 1 }),
        }))}
      />
    </Plot>
  )
}

/** Chart of the number of hours for which each room is used, by weekday. */
export function RoomsPlot({ rows }: { rows: SeasonReport['rooms'] }) {
  const { t } = useTranslation('office-money')
  const dayOf = useWeekdays()
  const nameOf = ({ name, site }: (typeof rows)[number]) =>
    [name, site].filter(Boolean).join(', ') || t('report.noRoom')
  const byRoom = [...Map.groupBy(rows, nameOf)]
    .map(([name, all]) => ({ name, hours: sumBy(all, ({ hours }) => hours) }))
    .sort((a, b) => b.hours - a.hours)
  const shown = byRoom.slice(0, MOST_ROOMS).map(({ name }) => name)
  return (
    <Plot
      title={t('report.rooms')}
      unit={t('report.roomsUnit')}
      table={{
        columns: [t('report.room'), t('report.weekday'), t('report.roomHours')],
        rows: rows.map(row => [nameOf(row), dayOf(row.weekday), row.hours]),
      }}
    >
      <HeatMap
        rows={shown}
        columns={WEEK.map(dayOf)}
        max={Math.max(...rows.map(({ hours }) => hours), 0) || 1}
        cells={rows.map(row => ({
          row: nameOf(row),
          column: dayOf(row.weekday),
          value: row.hours,
          text: String(Math.round(row.hours)),
        }))}
      />
    </Plot>
  )
}

const MINUTES = [
  { minutes: 1, unit: 'minutes', count: 1 },
  { minutes: 60, unit: 'hours', count: 1 },
  { minutes: 1_440, unit: 'days', count: 1 },
  { minutes: 10_080, unit: 'weeks', count: 1 },
] as const

/** Chart of bookings over the time since booking opened, compared with another season. */
export function BookingsPlot({
  bookings: { season: own, against: others },
  season,
  against,
}: {
  bookings: SeasonReport['bookings']
  season: string
  against: string
}) {
  const { t } = useTranslation('office-money')
  const other = new Map(others?.map(({ minutes, count }) => [minutes, count]))
  return (
    <Plot
      title={t('report.bookings')}
      unit={t('report.bookingsUnit')}
      table={{
        columns: [t('report.sinceOpening'), season, ...(others ? [against] : [])],
        rows: own.map(({ minutes, count }) => [minutes, count, ...(others ? [other.get(minutes) ?? ''] : [])]),
      }}
    >
      <LogTimeLineChart
        lines={[{ label: season, points: own }, ...(others ? [{ label: against, points: others }] : [])]}
        ticks={MINUTES.map(({ minutes, unit, count }) => ({ minutes, label: t(`report.${unit}`, { count }) }))}
      />
    </Plot>
  )
}

const ATTENDANCE_COLORS = {
  present: 'var(--link)',
  excused: 'var(--sun)',
  absent: 'var(--signal)',
  unrecorded: 'var(--rule)',
} as const
const ATTENDANCE = ['present', 'excused', 'absent', 'unrecorded'] as const

/** Chart of attendance by lesson number within the course. */
export function AttendancePlot({ rows }: { rows: SeasonReport['attendance'] }) {
  const { t } = useTranslation('office-money')
  return (
    <Plot
      title={t('report.attendance')}
      unit={t('report.attendanceUnit')}
      table={{
        columns: [t('report.lesson'), ...ATTENDANCE.map(key => t(`report.${key}`))],
        rows: rows.map(row => [row.lesson, ...ATTENDANCE.map(key => row[key])]),
      }}
    >
      <StackedColumnChart
        columns={rows.map(row => ({
          label: String(row.lesson),
          parts: ATTENDANCE.map(key => ({ value: row[key], color: ATTENDANCE_COLORS[key] })),
        }))}
      />
      <Legend entries={ATTENDANCE.map(key => ({ label: t(`report.${key}`), color: ATTENDANCE_COLORS[key] }))} />
    </Plot>
  )
}

function Legend({ entries }: { entries: readonly { label: string; color: string }[] }) {
  return (
    <Row as="ul" bare aria-hidden="true">
      {entries.map(({ label, color }) => (
        <Row as="li" key={label} size="s" gap="xs">
          <svg className={classes.swatch} viewBox="0 0 14 14" aria-hidden="true">
            <rect width={14} height={14} rx={3} fill={color} />
          </svg>
          {label}
        </Row>
      ))}
    </Row>
  )
}

/** Chart of cancellations by the number of days until the first lesson. */
export function CancellationsPlot({ rows }: { rows: SeasonReport['cancellations'] }) {
  const { t } = useTranslation('office-money')
  const labels = CANCELLATION_GROUPS.map(({ from, to }) => {
    if (to < 0) return t('report.after')
    if (to === Number.POSITIVE_INFINITY) return `≥ ${from}`
    return from === to ? String(from) : `${from}–${to}`
  })
  const counts = groupCancellations(rows)
  return (
    <Plot
      title={t('report.cancellations')}
      unit={t('report.cancellationsUnit')}
      table={{
        columns: [t('report.daysBefore'), t('report.count')],
        rows: rows.length === 0 ? [] : labels.map((label, index) => [label, counts[index] ?? 0]),
      }}
    >
      <StackedColumnChart
        columns={labels.map((label, index) => ({
          label,
          parts: [{ value: counts[index] ?? 0, color: 'var(--link)' }],
        }))}
      />
    </Plot>
  )
}
