import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { weekdayOf } from '#office/frame/model.ts'
import { Button } from '#ui/button.tsx'
import { Text } from '#ui/layout.tsx'
import { formatShortDay } from '../model.ts'
import { closesRow, type MinuteRange, type PlanRow } from '../plan-model.ts'
import type { ProgrammeGrid } from '../resource.ts'
import classes from './plan-grid.module.css'
import { heightOfMinutes } from './plan-track.tsx'

/** Formats a day as `Mo 24.11.` */
export const formatWeekdayAndDay = (t: TFunction<'office-programme'>, date: string) =>
  `${t(`day.${weekdayOf(date)}`)} ${formatShortDay(date)}`

type DayProps = { date: string; isHoliday: boolean; isToday: boolean; onDay: (date: string) => void }

/** Header of a day in the week view. Activating it opens the day view. */
export function PlanDayHead({ date, isHoliday, isToday, onDay }: DayProps) {
  const { t } = useTranslation('office-programme')
  const name = formatWeekdayAndDay(t, date)
  return (
    <th scope="col" data-holiday={isHoliday} data-today={isToday}>
      <Button
        look="text"
        className={classes.unprinted}
        aria-label={t('grid.openDay', { name })}
        onClick={() => onDay(date)}
      >
        {name}
      </Button>
      <span className={classes.printed} aria-hidden>
        {name}
      </span>
      {isHoliday && <small>{t('grid.holiday')}</small>}
    </th>
  )
}

type RowProps = {
  row: PlanRow
  absences: ProgrammeGrid['absences']
  closures: ProgrammeGrid['closures']
  onAway: (row: PlanRow) => void
}

/** Header of a row of the plan: a room, or an instructor with any absences. */
export function PlanRowHead({ row, absences, closures, onAway }: RowProps) {
  const { t } = useTranslation('office-programme')
  return (
    <>
      {row.label}
      {absences
        .filter(({ instructorEmail }) => row.email !== '' && instructorEmail === row.email)
        .map(({ absenceId, from, to }) => (
          <Text as="small" key={absenceId} tone="bad" block>
            {t('absence.days', { from: formatShortDay(from), to: formatShortDay(to) })}
          </Text>
        ))}
      {closures
        .filter(closure => closesRow(closure, row))
        .map(({ closureId, from, to }) => (
          <Text as="small" key={closureId} tone="bad" block>
            {t('closure.days', { from: formatShortDay(from), to: formatShortDay(to) })}
          </Text>
        ))}
      {row.email && (
        <Button
          look="text"
          className={classes.unprinted}
          aria-label={`${t('act.set-absence')}: ${row.label}`}
          onClick={() => onAway(row)}
        >
          {t('act.set-absence')}
        </Button>
      )}
    </>
  )
}

/** Time axis next to a row of the plan, labelled at every whole hour. */
export function HourAxis({ hours: { from, to } }: { hours: MinuteRange }) {
  const hours = Array.from({ length: (to - from) / 60 }, (_, index) => index)
  return (
    <ol className={classes.axis} aria-hidden style={{ height: heightOfMinutes(to - from) }}>
      {hours.map(index => (
        <li key={index} style={{ top: heightOfMinutes(60 * index) }}>
          {from / 60 + index}
        </li>
      ))}
    </ol>
  )
}
