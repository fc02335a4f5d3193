import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useGrowingList } from '#office/frame/components/growing-list.tsx'
import { ScrollFrame } from '#office/frame/components/scroll-frame.tsx'
import { Button } from '#ui/button.tsx'
import { Table, Text } from '#ui/layout.tsx'
import {
  assignLessonLanes,
  canMoveLessonToRow,
  displayedHoursOf,
  findFreeSpans,
  isRowClosed,
  lessonsOfRow,
  type MinuteRange,
  type PlanRow,
  type PlanRowKind,
} from '../plan-model.ts'
import type { GridLesson, ProgrammeGrid } from '../resource.ts'
import classes from './plan-grid.module.css'
import { formatWeekdayAndDay, HourAxis, PlanDayHead, PlanRowHead } from './plan-heads.tsx'
import { type DraggedLesson, type DragHandler, PlanTrack } from './plan-track.tsx'

export type LessonDrop = { date: string; row: PlanRow; startTime: string; endTime: string }

type Plan = {
  grid: ProgrammeGrid
  by: PlanRowKind
  /** lessons of other seasons are rendered in a lighter style */
  seasonId: number
  today: string
  onOpen: (lesson: GridLesson) => void
  /** called when the user opens a single day, of one row or, if `row` is missing, of all rows */
  onDay: (date: string, row?: PlanRow) => void
  onMove: (lesson: GridLesson, to: LessonDrop) => void
}
type Props = Plan & {
  rows: readonly PlanRow[]
  /** seven days, with one row per room or instructor; or a single day, with one column per room or instructor */
  days: readonly string[]
  zoom: number
  /** renders all rows up front rather than as the user scrolls */
  isWhole: boolean
  /** called when the user registers an absence of the row's instructor */
  onAway: (row: PlanRow) => void
}

/** Number of rows added as the user scrolls. */
const STEP = 12
/**
 * Maximum number of overlapping lessons shown side by side on one day of the week view; any others are only counted.
 */
const MOST_LANES = 3

type Slot = { row: PlanRow; date: string }
type Band = { key: string; head: ReactNode; hours: MinuteRange; slots: Slot[] }

/**
 * Grid of lessons with heights proportional to their durations. While a lesson is dragged, the times at which it could
 * be held are highlighted. As a keyboard alternative, activating a lesson opens a form to move it.
 */
export function PlanGrid({ rows, days, zoom, isWhole, onAway, ...plan }: Props) {
  const { t } = useTranslation('office-programme')
  const { grid, today, onDay } = plan
  const [dragged, setDragged] = useState<DraggedLesson | null>(null)
  const [drawn, more] = useGrowingList(rows, STEP, { atLeast: isWhole ? rows.length : 0 })
  const [single = ''] = days
  const isWeek = days.length > 1
  const isHoliday = (date: string) => grid.holidays.includes(date)
  const rowHead = (row: PlanRow) => (
    <PlanRowHead row={row} absences={grid.absences} closures={grid.closures} onAway={onAway} />
  )
  const bands: Band[] = isWeek
    ? drawn.map(row => ({
        key: row.key,
        head: rowHead(row),
        hours: displayedHoursOf(lessonsOfRow(row)),
        slots: days.map(date => ({ row, date })),
      }))
    : [
        {
          key: single,
          head: <span className="visually-hidden">{formatWeekdayAndDay(t, single)}</span>,
          hours: displayedHoursOf(rows.flatMap(row => row.days.get(single) ?? [])),
          slots: drawn.map(row => ({ row, date: single })),
        },
      ]
  return (
    <ScrollFrame label={t('grid.title')} className={classes.frame}>
      <div className={classes.growing}>
        <Table className={classes.grid} data-zoom={zoom} data-week={isWeek}>
          <caption className="visually-hidden">{t('grid.title')}</caption>
          <thead>
            <tr>
              <td />
              {isWeek
                ? days.map(date => (
                    <PlanDayHead
                      key={date}
                      date={date}
                      isHoliday={isHoliday(date)}
                      isToday={date === today}
                      onDay={onDay}
                    />
                  ))
                : drawn.map(row => (
                    <th key={row.key} scope="col">
                      {rowHead(row)}
                    </th>
                  ))}
            </tr>
          </thead>
          <tbody>
            {bands.map(({ key, head, hours, slots }) => (
              <tr key={key}>
                <th scope="row">
                  <div className={classes.head}>
                    <div>{head}</div>
                    <HourAxis hours={hours} />
                  </div>
                </th>
                {slots.map(({ row, date }) => (
                  <td key={`${row.key} ${date}`} data-holiday={isHoliday(date) || isRowClosed(grid, row, date)}>
                    <Cell
                      {...plan}
                      row={row}
                      date={date}
                      hours={hours}
                      isWeek={isWeek}
                      dragged={dragged}
                      onDrag={setDragged}
                    />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </Table>
        {more}
      </div>
      {rows.length === 0 && (
        <Text tone="muted" py="s">
          {t('grid.empty')}
        </Text>
      )}
    </ScrollFrame>
  )
}

type CellProps = Plan &
  Slot & { hours: MinuteRange; isWeek: boolean; dragged: DraggedLesson | null; onDrag: DragHandler }

function Cell({ grid, by, seasonId, today, row, date, hours, isWeek, dragged, ...on }: CellProps) {
  const { t } = useTranslation('office-programme')
  const placed = assignLessonLanes(row.days.get(date) ?? [])
  const most = isWeek ? MOST_LANES : placed.length
  const shown = placed.filter(({ lane }) => lane < most).map(one => ({ ...one, lanes: Math.min(one.lanes, most) }))
  return (
    <>
      <PlanTrack
        placed={shown}
        hours={hours}
        by={by}
        seasonId={seasonId}
        isToday={date === today}
        dragged={dragged && canMoveLessonToRow(dragged.lesson, row) ? dragged : null}
        free={dragged ? findFreeSpans(grid, dragged.lesson, { row, date, hours }, today) : []}
        onOpen={on.onOpen}
        onDrag={on.onDrag}
        onDrop={times => {
          on.onDrag(null)
          if (dragged) on.onMove(dragged.lesson, { date, row, ...times })
        }}
      />
      {shown.length < placed.length && (
        <Button look="text" onClick={() => on.onDay(date, row)}>
          {t('grid.more', { count: placed.length - shown.length })}
        </Button>
      )}
    </>
  )
}
