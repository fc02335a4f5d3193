import type { MouseEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { BOOKING_STATUS } from '#contract/values.ts'
import { formatDayMonth, formatTime, nameInLanguage } from '#contract/words.ts'
import { fromLocalTimeMs } from '#lib/format.ts'
import { useLanguage } from '#lib/use-language.ts'
import { useLocalTimeMs, useToday } from '#lib/use-now.ts'
import { categoryKey } from '#ui/category-color.ts'
import { styles } from '#ui/styles.ts'
import { availabilityOf } from '../model.ts'
import classes from './week-grid.module.css'
import { type WeekGridDay, type WeekGridLesson, type WeekGridLine, weekGridLinesOf } from './week-model.ts'

const MINUTE_MS = 60_000
/**
 * Minimum height of a minute in rem, with and without lessons. Rows grow if a lesson's text needs more height than its
 * duration provides.
 */
const MINUTE_REM = { busy: 0.05, idle: 0.015 }

type OnOpen = ((id: number) => void) | null
type Props = { days: readonly WeekGridDay[]; isWeek: boolean; onOpen: OnOpen }

const heightOf = (line: WeekGridLine, next: WeekGridLine) =>
  `minmax(${(next.minute - line.minute) * MINUTE_REM[line.isBusy ? 'busy' : 'idle']}rem, auto)`

/**
 * Lessons on a vertical time axis. Days are side by side, each with as many lanes as there are overlapping lessons. All
 * days share the same rows, bounded by whole hours and by the starts and ends of lessons; CSS grid makes a row taller
 * if a text needs it.
 */
export function WeekGrid({ days, isWeek, onOpen }: Props) {
  const { t } = useTranslation(['course-list', 'courses'])
  const todayMs = useToday()
  const lines = weekGridLinesOf(days)
  /**
   * Number of the grid row whose upper line is at the given minute of the day. The day headers are in the first row.
   */
  const rowOf = (minute: number) => lines.findIndex(line => line.minute === minute) + 2
  const lanesBefore = (index: number) => days.slice(0, index).reduce((sum, { lanes }) => sum + lanes, 0)
  const columnOf = (index: number) => lanesBefore(index) + 2
  const rows = lines.slice(0, -1).map((line, index) => heightOf(line, lines[index + 1] ?? line))
  const columns = days.map(({ lanes }) => `repeat(${lanes}, minmax(var(--lane), ${1 / lanes}fr))`)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls horizontally must be focusable by keyboard
    <section className={classes.frame} aria-label={t('week.grid')} tabIndex={0}>
      <div
        className={classes.grid}
        style={{ gridTemplate: `auto ${rows.join(' ')} / 2.25rem ${columns.join(' ')}` }}
        data-week={isWeek || undefined}
      >
        {lines
          .filter(({ minute }) => minute % 60 === 0)
          .map(({ minute }) => (
            <span
              key={minute}
              className={classes.hour}
              style={{ gridRow: minute === lines.at(-1)?.minute ? rowOf(minute) - 1 : rowOf(minute) }}
              data-last={minute === lines.at(-1)?.minute || undefined}
              aria-hidden
            >
              {minute / 60}
            </span>
          ))}
        {days.map(({ dayMs, lanes, lessons }, index) => (
          <section
            key={dayMs}
            className={classes.day}
            aria-label={dayName(dayMs, t('courses:day.long', { returnObjects: true }))}
          >
            <h4
              className={classes.head}
              style={{ gridColumn: `${columnOf(index)} / span ${lanes}` }}
              data-today={dayMs === todayMs || undefined}
            >
              {t(`courses:day.short.${new Date(dayMs).getUTCDay()}`)} {formatDayMonth(fromLocalTimeMs(dayMs))}
            </h4>
            <span
              className={classes.column}
              style={{ gridColumn: `${columnOf(index)} / span ${lanes}`, gridRow: `1 / ${lines.length + 1}` }}
              aria-hidden
            />
            <ul className={classes.day}>
              {lessons.map(lesson => (
                <li
                  key={lesson.key}
                  style={{
                    gridColumn: `${columnOf(index) + lesson.lane} / span ${lesson.lanes}`,
                    gridRow: `${rowOf(lesson.from)} / ${rowOf(lesson.to)}`,
                  }}
                >
                  <Block lesson={lesson} onOpen={onOpen} />
                </li>
              ))}
            </ul>
            {dayMs === todayMs && <NowLine dayMs={dayMs} lines={lines} column={`${columnOf(index)} / span ${lanes}`} />}
          </section>
        ))}
      </div>
    </section>
  )
}

const dayName = (dayMs: number, names: unknown) =>
  `${Array.isArray(names) ? names[new Date(dayMs).getUTCDay()] : ''} ${formatDayMonth(fromLocalTimeMs(dayMs))}`

/** Line that marks the current time in today's column. */
function NowLine({ dayMs, lines, column }: { dayMs: number; lines: readonly WeekGridLine[]; column: string }) {
  const minute = (useLocalTimeMs() - dayMs) / MINUTE_MS
  const at = lines.findLastIndex(line => line.minute <= minute)
  const [line, next] = [lines[at], lines[at + 1]]
  if (!line || !next) return null
  return (
    <span className={classes.now} style={{ gridColumn: column, gridRow: at + 2 }} aria-hidden>
      <i style={{ top: `${(100 * (minute - line.minute)) / (next.minute - line.minute)}%` }} />
    </span>
  )
}

/**
 * A lesson, with a height proportional to its duration. The user's own lessons are outlined, cancelled ones struck
 * through.
 */
function Block({ lesson: { course, from, to, isCancelled }, onOpen }: { lesson: WeekGridLesson; onOpen: OnOpen }) {
  const { t } = useTranslation(['course-list', 'courses'])
  const name = nameInLanguage(useLanguage(), course)
  const isMine = course.bookingStatus !== BOOKING_STATUS.NotBooked
  const isFull = !isMine && availabilityOf(course).kind === 'full'
  const [start, end] = [from, to].map(minute => formatTime({ hour: Math.floor(minute / 60), minute: minute % 60 }))
  const open = (event: MouseEvent) => {
    if (!onOpen) return
    event.preventDefault()
    onOpen(course.id)
  }
  const state = isCancelled
    ? t('week.cancelled')
    : isMine
      ? t(bookingKey(course.bookingStatus))
      : isFull && t('courses:places.full')
  return (
    <Link
      href={`/course-details/${course.id}`}
      className={`${styles({ plain: true })} ${classes.block}`}
      data-category={categoryKey(course.categoryIcon, course.courseCategoryId)}
      data-mine={isMine || undefined}
      data-pale={isFull || isCancelled || undefined}
      onClick={open}
    >
      <b>{isCancelled ? <s>{name}</s> : name}</b>
      <span>
        {start}–{end} {[course.venue || course.city, state].filter(Boolean).map(text => `· ${text} `)}
      </span>
    </Link>
  )
}

const bookingKey = (status: number) => (status === BOOKING_STATUS.Booked ? 'courses:card.booked' : 'week.waiting')
