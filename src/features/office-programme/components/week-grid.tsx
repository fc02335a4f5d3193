import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '#components/button.tsx'
import { piece } from '#components/pieces.ts'
import { nameIn } from '#contract/words.ts'
import { IconAlertTriangle } from '#features/office/components/desk-icons.tsx'
import { useGrowingList } from '#features/office/components/growing-list.tsx'
import { ScrollFrame } from '#features/office/components/scroll-frame.tsx'
import { useLanguage } from '#lib/use-language.ts'
import { addDays, formatShortDay, type GridBy, type GridRow, toGridRows, weekdayOf } from '../model.ts'
import type { Grid, GridLesson } from '../resource.ts'
import classes from './week-grid.module.css'

type Props = {
  grid: Grid
  by: GridBy
  /** lessons of other seasons are rendered lighter */
  seasonId: number | null
  onOpen: (lesson: GridLesson) => void
  /** the instructor of a row is to be registered as away */
  onAway: (row: GridRow) => void
  /** dropped on another day or row */
  onMove: (lesson: GridLesson, to: { date: string; row: GridRow }) => void
}

/** Number of rows rendered per step. */
const STEP = 12

/**
 * Week of lessons by room or instructor. Drag and drop moves a lesson to another day or row; activation opens the same
 * form.
 */
export function WeekGrid({ grid, by, seasonId, onOpen, onAway, onMove }: Props) {
  const { t } = useTranslation('office-programme')
  const rows = useMemo(() => toGridRows(grid.lessons, by, t(`grid.none.${by}`)), [grid.lessons, by, t])
  const [drawn, more] = useGrowingList(rows, STEP)
  const days = Array.from({ length: 7 }, (_, index) => addDays(grid.from, index))
  const [dragged, setDragged] = useState<GridLesson | null>(null)
  const [over, setOver] = useState('')
  const drop = (date: string, row: GridRow) => {
    setOver('')
    setDragged(null)
    if (dragged) onMove(dragged, { date, row })
  }
  return (
    <ScrollFrame label={t('grid.title')} className={classes.frame}>
      <table className={`${piece('table')} ${classes.grid}`}>
        <caption className="visually-hidden">{t('grid.title')}</caption>
        <thead>
          <tr>
            <td />
            {days.map(day => (
              <th key={day} scope="col" data-holiday={grid.holidays.includes(day)}>
                {t(`day.${weekdayOf(day)}`)} {formatShortDay(day)}
                {grid.holidays.includes(day) && <small>{t('grid.holiday')}</small>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {drawn.map(row => (
            <tr key={row.key}>
              <th scope="row">
                {row.label}
                {row.email && (
                  <Button look="text" aria-label={`${t('absence.away')}: ${row.label}`} onClick={() => onAway(row)}>
                    {t('absence.away')}
                  </Button>
                )}
                {grid.absences
                  .filter(({ instructorEmail }) => row.email !== '' && instructorEmail === row.email)
                  .map(({ absenceId, from, to }) => (
                    <small key={absenceId} className={`${piece('bad', 'block')}`}>
                      {t('absence.days', { from: formatShortDay(from), to: formatShortDay(to) })}
                    </small>
                  ))}
              </th>
              {days.map(day => {
                const key = `${row.key} ${day}`
                return (
                  <td
                    key={day}
                    data-holiday={grid.holidays.includes(day)}
                    data-over={over === key}
                    onDragOver={event => {
                      event.preventDefault()
                      setOver(key)
                    }}
                    onDrop={event => {
                      event.preventDefault()
                      drop(day, row)
                    }}
                  >
                    {(row.days.get(day) ?? []).map(lesson => (
                      <LessonChip
                        key={lesson.courseDateId}
                        lesson={lesson}
                        by={by}
                        onOpen={onOpen}
                        isOther={seasonId !== null && lesson.seasonId !== seasonId}
                        onDrag={setDragged}
                      />
                    ))}
                  </td>
                )
              })}
            </tr>
          ))}
          {rows.length === 0 && (
            <tr>
              <td colSpan={8} className={piece('muted')}>
                {t('grid.empty')}
              </td>
            </tr>
          )}
        </tbody>
      </table>
      {more}
    </ScrollFrame>
  )
}

type ChipProps = {
  lesson: GridLesson
  by: GridBy
  isOther: boolean
  onOpen: (lesson: GridLesson) => void
  onDrag: (lesson: GridLesson | null) => void
}

function LessonChip({ lesson, by, isOther, onOpen, onDrag }: ChipProps) {
  const { t } = useTranslation('office-programme')
  const language = useLanguage()
  const { startTime, endTime, state, clash, uncovered, room, instructors, number } = lesson
  const other = by === 'room' ? instructors.map(({ name }) => name).join(', ') : room
  return (
    <button
      type="button"
      className={`${piece('small')} ${classes.lesson}`}
      draggable={state === 'planned'}
      data-clash={clash || uncovered}
      data-state={state}
      data-other={isOther}
      onClick={() => onOpen(lesson)}
      onDragStart={event => {
        event.dataTransfer.setData('text/plain', number)
        event.dataTransfer.effectAllowed = 'move'
        onDrag(lesson)
      }}
      onDragEnd={() => onDrag(null)}
    >
      <b>
        {startTime}–{endTime}
      </b>
      <span>{nameIn(language, lesson)}</span>
      {other && <small>{other}</small>}
      {state === 'cancelled' && <small>{t('lesson.cancelled')}</small>}
      {uncovered && (
        <small className={piece('bad')}>
          <IconAlertTriangle size={16} /> {t('absence.uncovered')}
        </small>
      )}
      {clash && (
        <small className={piece('bad')}>
          <IconAlertTriangle size={16} /> {t('grid.clash')}
        </small>
      )}
    </button>
  )
}
