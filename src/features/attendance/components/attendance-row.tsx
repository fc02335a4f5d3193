import { memo, startTransition, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { RecordedAttendance } from '#contract/endpoints/attendance.ts'
import { styles } from '#ui/styles.ts'
import type { ParticipantRow } from '../model.ts'
import { steps } from '../store.ts'
import classes from './attendance-row.module.css'
import { RejectedChange } from './rejected-change.tsx'

type Props = ParticipantRow & {
  dates: number
  isLocked: boolean
  /** id of the text that explains why the row is locked */
  lockedBy: string
  onSet: (webUserId: number, mark: RecordedAttendance, before: RecordedAttendance) => void
  onDecide: (webUserId: number, decision: 'discard' | 'sendAgain') => void
}

/**
 * Both icons are always rendered, because mounting or moving elements on a tap would trigger a layout of the whole
 * list. An empty ring means that nothing is recorded.
 */
const SIGNS = { present: 'M5 12l5 5l10 -10', absent: 'M5 12l14 0' } as const
const UNSAID = { visibility: 'hidden' } as const
const PEN = {
  fill: 'none',
  stroke: 'currentColor',
  strokeWidth: 3,
  strokeLinecap: 'round',
  strokeLinejoin: 'round',
} as const

export const [PERSON, NAME, FACTS] = [
  styles({ grow: true }),
  styles({ variant: 'heading', weight: 'semibold' }),
  styles({ base: 'row', size: 's', compact: true }),
]
const UNTOLD = styles({ tone: 'ink', weight: 'semibold' })
/** CSS class that highlights changes not yet synchronized with the server. */
export const syncStateClass = (state: string) => (state === 'open' || state === 'confirmed' ? '' : UNTOLD)

/**
 * Row of one participant. The whole row is a switch that shows the name, the number of sessions attended, the
 * attendance status and its sync state.
 */
export const AttendanceRow = memo(function AttendanceRow(row: Props) {
  const { t } = useTranslation('attendance')
  const { webUserId, name, state, isLocked, onSet } = row
  /** attendance status set by a tap; used until the row is updated from the store */
  const [tapped, setTapped] = useState<RecordedAttendance | null>(null)
  const mark = tapped ?? row.mark
  const isTapped = tapped !== null
  useEffect(() => (isTapped ? steps.subscribe(() => startTransition(() => setTapped(null))) : undefined), [isTapped])
  const isRefused = state === 'refused' || state === 'overtaken'
  // An empty ring means that no attendance is recorded.
  const isAbsent = row.mark === 'absent'
  const hasState = state !== 'open' && !(isAbsent && state === 'confirmed')
  return (
    <li className={classes.row} data-state={state}>
      <button
        type="button"
        role="switch"
        className={classes.tick}
        aria-checked={mark === 'present'}
        aria-label={t('row.label', { name, value: t(`row.${mark}`) })}
        aria-describedby={isLocked ? row.lockedBy : undefined}
        disabled={isLocked || isRefused}
        onClick={() => {
          const next = mark === 'present' ? 'absent' : 'present'
          setTapped(next)
          onSet(webUserId, next, mark)
        }}
      >
        <span className={classes.ring}>
          <svg viewBox="0 0 24 24" width={26} height={26} {...PEN} aria-hidden>
            <path d={SIGNS.present} visibility={mark === 'present' ? 'visible' : 'hidden'} />
            <path d={SIGNS.absent} visibility={mark === 'absent' ? 'visible' : 'hidden'} />
          </svg>
        </span>
        <span className={PERSON}>
          <span className={NAME}>{name}</span>
          <span className={FACTS}>
            <span>
              {t('row.sessions', { count: row.participation, dates: row.dates })}
              {row.isAbsenceAnnounced && ` · ${t('row.announced')}`}
              {row.isGuest && ` · ${t('row.guest')}`}
            </span>
            {/* Reserves the space until the sync state of a tap is known. */}
            <span className={syncStateClass(state)} style={isTapped ? UNSAID : undefined}>
              {[isAbsent && t('row.absent'), hasState && t(`state.${state}`)].filter(Boolean).join(' · ')}
            </span>
          </span>
        </span>
      </button>
      {isRefused && (
        <RejectedChange
          name={name}
          reason={row.reason}
          markAtServer={row.markAtServer}
          mark={row.mark}
          onDecide={decision => row.onDecide(webUserId, decision)}
        />
      )}
    </li>
  )
})
