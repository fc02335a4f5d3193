import { useCallback, useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Redirect, useParams } from 'wouter'
import { useSession } from '#features/session/store.ts'
import { ApiError } from '#lib/api-error.ts'
import { formatDate, formatTime, weekdayOf } from '#lib/format.ts'
import { showError } from '#lib/toast.ts'
import { AttendanceRow } from './components/attendance-row.tsx'
import { OutboxLine } from './components/outbox-line.tsx'
import { ParticipantListButton } from './components/participant-list-button.tsx'
import classes from './course-participation-screen.module.css'
import { isClosed, rowsOf, ticksOf } from './model.ts'
import type { Completion } from './outbox-records.ts'
import { loadList, useAttendance } from './store.ts'
import { discardEntry, sendAgain, setCompleted, setPresence } from './sync.ts'

/** Attendance of one course, date by date. Works without a network: every tap is on the phone before it is sent. */
export function CourseParticipationScreen() {
  const courseId = Number(useParams().id)
  const { t } = useTranslation('attendance')
  const { phase, session } = useSession()
  const userId = session?.webUserId ?? 0
  const list = useAttendance(state => state.lists[courseId])
  const course = useAttendance(state => state.courses?.find(({ id }) => id === courseId))
  const entries = useAttendance(state => state.entries)
  const saving = useAttendance(state => state.saving)
  const [chosenDateId, setChosenDateId] = useState<number | null>(null)
  const [problem, setProblem] = useState('')
  const dateId = chosenDateId ?? list?.preSelectCourseDateId ?? 0

  const load = useCallback(async () => {
    setProblem('')
    try {
      await loadList(courseId)
    } catch (error) {
      // A list from an earlier visit goes on serving; a refusal is for the instructor to know.
      if (error instanceof ApiError) showError(error.message)
      setProblem(error instanceof ApiError ? error.message : t('noList'))
    }
  }, [courseId, t])
  useEffect(() => {
    if (userId !== 0) load()
  }, [userId, load])

  const ticks = useMemo(() => ticksOf(entries, userId), [entries, userId])
  const savingTicks = useMemo(() => ticksOf(saving, userId), [saving, userId])
  const rows = useMemo(() => (list ? rowsOf(list, dateId, ticks, savingTicks) : []), [list, dateId, ticks, savingTicks])
  const completion = entries.find(
    (entry): entry is Completion =>
      entry.kind === 'completion' && entry.courseId === courseId && entry.userId === userId,
  )

  const set = useCallback(
    (webUserId: number, isPresent: boolean) => {
      setPresence(courseId, dateId, webUserId, isPresent).catch(error => showError(error.message || t('notStored')))
    },
    [courseId, dateId, t],
  )
  const decide = useCallback(
    (action: typeof discardEntry) => (webUserId: number) => {
      const tick = ticks.get(`${dateId}/${webUserId}`)
      if (tick) action(tick).catch(error => showError(error.message))
    },
    [ticks, dateId],
  )
  const onDiscard = useMemo(() => decide(discardEntry), [decide])
  const onSendAgain = useMemo(() => decide(sendAgain), [decide])

  if (phase === 'none') return <Redirect to="/home" />
  if (!list) {
    return (
      <>
        <h1>{course?.name ?? t('title')}</h1>
        <p role="status">{problem || t('loading')}</p>
        {problem && (
          <button type="button" className={classes.button} onClick={load}>
            {t('retry')}
          </button>
        )}
      </>
    )
  }
  const closed = isClosed(list, completion)
  const present = rows.filter(({ isPresent }) => isPresent).length
  return (
    <div className={classes.screen}>
      <h1>{course?.name ?? t('title')}</h1>
      <label className={classes.date}>
        {t('date')}
        <select value={dateId} onChange={event => setChosenDateId(Number(event.currentTarget.value))}>
          {list.courseDates.map(({ id, date }) => (
            <option key={id} value={id}>
              {t(`weekday.${weekdayOf(date)}`)} {formatDate(date)}, {formatTime(date)}
            </option>
          ))}
        </select>
      </label>
      <OutboxLine />
      {completion?.state === 'refused' && (
        <p className={classes.refused} role="alert">
          {completion.lastError}{' '}
          <button type="button" className={classes.button} onClick={() => discardEntry(completion)}>
            {t('refused.discard')}
          </button>
        </p>
      )}
      <div className={classes.summary}>
        <h2>{t('present', { present, all: rows.length })}</h2>
        <button
          type="button"
          className={classes.button}
          disabled={closed || present === rows.length}
          onClick={() => {
            for (const row of rows) if (!row.isPresent && row.state !== 'refused') set(row.webUserId, true)
          }}
        >
          {t('allPresent')}
        </button>
      </div>
      {closed && <p className={classes.closed}>{t('closed')}</p>}
      {rows.length === 0 && <p>{t('noParticipants')}</p>}
      <ul className={classes.rows}>
        {rows.map(row => (
          <AttendanceRow
            key={row.webUserId}
            row={row}
            dates={list.courseDates.length}
            isLocked={closed}
            onSet={set}
            onDiscard={onDiscard}
            onSendAgain={onSendAgain}
          />
        ))}
      </ul>
      <div className={classes.actions}>
        <ParticipantListButton courseId={courseId} fileName={course?.name ?? String(courseId)} />
        <button
          type="button"
          className={classes.close}
          onClick={() => setCompleted(courseId, !closed).catch(error => showError(error.message || t('notStored')))}
        >
          {t(closed ? 'reopen' : 'close')}
        </button>
      </div>
    </div>
  )
}
