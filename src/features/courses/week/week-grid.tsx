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
import { type WeekGridAxis, type WeekGridDay, type WeekGridLesson, weekGridAxisOf } from './week-model.ts'

const MINUTE_MS = 60_000
/** Minimum height of a minute in rem. */
const MINUTE_REM = 0.05

type OnOpen = ((id: number) => void) | null
type Props = { days: readonly WeekGridDay[]; isWeek: boolean; onOpen: OnOpen }

/**
 * Lessons on a vertical time axis. Days are side by side, each with as many lanes as there are overlapping lessons. All
 * days share the same rows, which are equally high: as high as the text that needs most, so that hours are to scale and
 * nothing is cut.
 */
export function WeekGrid({ days, isWeek, onOpen }: Props) {
  const { t } = useTranslation(['course-list', 'courses'])
  const todayMs = useToday()
  const axis = weekGridAxisOf(days)
  if (!axis) return null
  const { first, last, step } = axis
  /** Number of the grid row that begins at this minute of the day. The day headers are in the first row. */
  const rowOf = (minute: number) => (minute - first) / step + 2
  const rows = rowOf(last) - 2
  const hours = Array.from({ length: (last - first) / 60 + 1 }, (_, index) => first + index * 60)
  const lanesBefore = (index: number) => days.slice(0, index).reduce((sum, { lanes }) => sum + lanes, 0)
  const columnOf = (index: number) => lanesBefore(index) + 2
  // Days with many lanes are wider, because narrow lanes need many lines, which make all hours higher.
  const columns = days.map(({ lanes }) => `repeat(${lanes}, minmax(var(--lane), ${1 / Math.sqrt(lanes)}fr))`)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls horizontally must be focusable by keyboard
    <section className={classes.frame} aria-label={t('week.grid')} tabIndex={0}>
      <div
        className={classes.grid}
        style={{
          gridTemplate: `auto repeat(${rows}, minmax(${step * MINUTE_REM}rem, 1fr)) / 2.25rem ${columns.join(' ')}`,
        }}
        data-week={isWeek || undefined}
      >
        {hours.map(minute => (
          <span
            key={minute}
            className={classes.hour}
            style={{ gridRow: minute === last ? rowOf(last) - 1 : rowOf(minute) }}
            data-last={minute === last || undefined}
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
              style={{ gridColumn: `${columnOf(index)} / span ${lanes}`, gridRow: `1 / ${rows + 2}` }}
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
                  <Block lesson={lesson} hasPlace={!isWeek} onOpen={onOpen} />
                </li>
              ))}
            </ul>
            {dayMs === todayMs && (
              <NowLine dayMs={dayMs} axis={axis} rows={rows} column={`${columnOf(index)} / span ${lanes}`} />
            )}
          </section>
        ))}
      </div>
    </section>
  )
}

const dayName = (dayMs: number, names: unknown) =>
  `${Array.isArray(names) ? names[new Date(dayMs).getUTCDay()] : ''} ${formatDayMonth(fromLocalTimeMs(dayMs))}`

type NowLineProps = { dayMs: number; axis: WeekGridAxis; rows: number; column: string }

/** Line that marks the current time in today's column. */
function NowLine({ dayMs, axis: { first, last }, rows, column }: NowLineProps) {
  const minute = (useLocalTimeMs() - dayMs) / MINUTE_MS
  if (minute < first || minute > last) return null
  return (
    <span className={classes.now} style={{ gridColumn: column, gridRow: `2 / ${rows + 2}` }} aria-hidden>
      <i style={{ top: `${(100 * (minute - first)) / (last - first)}%` }} />
    </span>
  )
}

type BlockProps = { lesson: WeekGridLesson; hasPlace: boolean; onOpen: OnOpen }

/**
 * A lesson, with a height proportional to its duration. The user's own lessons are outlined, cancelled ones struck
 * through.
 */
function Block({ lesson: { course, from, to, isCancelled, place }, hasPlace, onOpen }: BlockProps) {
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
        {start}–{end} {[hasPlace && place, state].filter(Boolean).map(text => `· ${text} `)}
        {!hasPlace && <span className="visually-hidden">{place}</span>}
      </span>
    </Link>
  )
}

const bookingKey = (status: number) => (status === BOOKING_STATUS.Booked ? 'courses:card.booked' : 'week.waiting')
