import { type DragEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { nameInLanguage } from '#contract/words.ts'
import { useLanguage } from '#lib/use-language.ts'
import { useLocalTimeMs } from '#lib/use-now.ts'
import { IconAlertTriangle } from '#office/frame/components/office-icons.tsx'
import { Text } from '#ui/layout.tsx'
import {
  formatMinuteOfDay,
  type LessonInLane,
  type MinuteRange,
  movedEndMinute,
  type PlanRowKind,
  snappedStartMinute,
} from '../plan-model.ts'
import type { GridLesson } from '../resource.ts'
import classes from './plan-grid.module.css'

/** CSS height of a duration, given in minutes, at the current zoom level. */
export const heightOfMinutes = (minutes: number): string => `calc(var(--minute) * ${minutes})`

/** The lesson being dragged. `grabbedAt` is the distance in px from its upper edge to the pointer. */
export type DraggedLesson = { lesson: GridLesson; grabbedAt: number }
export type DragHandler = (dragged: DraggedLesson | null) => void
type Props = {
  placed: readonly LessonInLane[]
  hours: MinuteRange
  by: PlanRowKind
  seasonId: number
  isToday: boolean
  /** the lesson being dragged; null if there is none or it may not be dropped here */
  dragged: DraggedLesson | null
  /** times at which the dragged lesson could be held here */
  free: readonly MinuteRange[]
  onOpen: (lesson: GridLesson) => void
  onDrag: DragHandler
  onDrop: (times: { startTime: string; endTime: string }) => void
}

/** Drop zone that contains the lessons of one row of the plan on one day, positioned on a time axis. */
export function PlanTrack({ placed, hours, by, seasonId, isToday, dragged, free, onOpen, onDrag, onDrop }: Props) {
  const { t } = useTranslation('office-programme')
  const [over, setOver] = useState<number | null>(null)
  const minuteAt = ({ currentTarget, clientY }: DragEvent, { lesson, grabbedAt }: DraggedLesson) => {
    const { top, height } = currentTarget.getBoundingClientRect()
    const minute = hours.from + ((clientY - grabbedAt - top) / height) * (hours.to - hours.from)
    return snappedStartMinute(lesson, minute, hours)
  }
  const place = ({ from, to }: MinuteRange) => ({
    top: heightOfMinutes(from - hours.from),
    height: heightOfMinutes(to - from),
  })
  const target = dragged && over !== null ? { from: over, to: movedEndMinute(dragged.lesson, over) } : null
  const isFree = free.some(({ from, to }) => target !== null && from <= target.from && target.to <= to)
  const lanes = Math.max(1, ...placed.map(one => one.lanes))
  return (
    <div
      className={classes.track}
      style={{ height: heightOfMinutes(hours.to - hours.from), minWidth: `calc(var(--lane) * ${lanes})` }}
      {...(dragged && {
        onDragOver: event => {
          event.preventDefault()
          setOver(minuteAt(event, dragged))
        },
        onDragLeave: () => setOver(null),
        onDrop: event => {
          event.preventDefault()
          setOver(null)
          const start = minuteAt(event, dragged)
          onDrop({
            startTime: formatMinuteOfDay(start),
            endTime: formatMinuteOfDay(movedEndMinute(dragged.lesson, start)),
          })
        },
      })}
    >
      {free.map(span => (
        <i key={span.from} className={classes.free} data-slot="free" style={place(span)} />
      ))}
      {isToday && <NowLine hours={hours} />}
      {placed.map(one => (
        <LessonBlock
          key={one.lesson.courseDateId}
          lesson={one.lesson}
          by={by}
          isOther={one.lesson.seasonId !== seasonId}
          style={{ ...place(one), left: `${(100 * one.lane) / one.lanes}%`, width: `${100 / one.lanes}%` }}
          onOpen={onOpen}
          onDrag={onDrag}
        />
      ))}
      {target && (
        <b className={classes.target} data-free={isFree} style={place(target)}>
          {formatMinuteOfDay(target.from)}–{formatMinuteOfDay(target.to)} {t(isFree ? 'grid.free' : 'grid.notFree')}
        </b>
      )}
    </div>
  )
}

const MINUTE_MS = 60_000
const DAY_MINUTES = 1_440

function NowLine({ hours: { from, to } }: { hours: MinuteRange }) {
  const minute = (useLocalTimeMs() / MINUTE_MS) % DAY_MINUTES
  return minute >= from && minute <= to ? (
    <i className={classes.now} style={{ top: heightOfMinutes(minute - from) }} />
  ) : null
}

type BlockProps = {
  lesson: GridLesson
  by: PlanRowKind
  isOther: boolean
  style: { top: string; height: string; left: string; width: string }
  onOpen: (lesson: GridLesson) => void
  onDrag: DragHandler
}

function LessonBlock({ lesson, by, isOther, style, onOpen, onDrag }: BlockProps) {
  const { t } = useTranslation('office-programme')
  const language = useLanguage()
  const { startTime, endTime, state, clashes, closed, uncovered, room, instructors, number } = lesson
  const other = by === 'room' ? instructors.map(({ name }) => name).join(', ') : room
  const trouble = [
    uncovered && t('absence.uncovered'),
    closed && t('closure.closed'),
    clashes.length > 0 && t('grid.clash'),
  ].filter(Boolean)
  return (
    <button
      type="button"
      className={classes.lesson}
      style={style}
      draggable={state === 'planned'}
      data-trouble={trouble.length > 0}
      data-clash={clashes.length > 0}
      data-state={state}
      data-other={isOther}
      onClick={() => onOpen(lesson)}
      onDragStart={event => {
        event.dataTransfer.setData('text/plain', number)
        event.dataTransfer.effectAllowed = 'move'
        onDrag({ lesson, grabbedAt: event.clientY - event.currentTarget.getBoundingClientRect().top })
      }}
      onDragEnd={() => onDrag(null)}
    >
      <span className={classes.words}>
        <b>
          {startTime}
          <span className={classes.until}>–{endTime}</span>
        </b>{' '}
        {trouble.length > 0 && (
          <Text as="strong" tone="bad">
            <IconAlertTriangle size={14} /> {trouble.join(', ')}{' '}
          </Text>
        )}
        <span>{nameInLanguage(language, lesson)}</span>
        {other && <small> {other}</small>}
        {state === 'cancelled' && <small> {t('lesson.cancelled')}</small>}
      </span>
    </button>
  )
}
