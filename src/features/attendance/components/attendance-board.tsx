import { useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import { useHistoryState } from 'wouter/use-browser-location'
import { useSession } from '#features/session/store.ts'
import { daysUntil, formatRelativeDay, startOfDayAt } from '#lib/format.ts'
import { useLanguage } from '#lib/use-language.ts'
import { useToday } from '#lib/use-now.ts'
import { useQueryString } from '#lib/use-query-string.ts'
import { CardBody } from '#ui/layout.tsx'
import {
  attendanceListUrl,
  countUnsyncedChanges,
  countUnsyncedChangesOnDate,
  expectedRows,
  findDateOfUrl,
  findPendingCompletionEntry,
  guestRowsOf,
  isAttendanceClosed,
  matchesParticipantName,
  type ParticipantRow,
  participantRowsOf,
  pendingPresenceEntriesOf,
  presenceIndexOf,
} from '../model.ts'
import type { StoredAttendanceList } from '../outbox/list-rows.ts'
import { useAttendance, useBatchedOutboxView } from '../store.ts'
import { useAttendanceActions } from '../use-attendance-actions.ts'
import { useWakeLock } from '../use-screen-wake-lock.ts'
import { AttendanceBar, AttendanceCount, AttendanceListTools, DateChoice } from './attendance-bar.tsx'
import { AttendanceCompletionButton, AttendanceListEnd, DownloadParticipantListButton } from './attendance-list-end.tsx'
import { AttendanceRow } from './attendance-row.tsx'
import { BoardAnnouncer, BoardNotices, EmptyList, RejectedCompletion } from './board-notices.tsx'
import classes from './gym.module.css'
import { OrphanedChanges } from './orphaned-changes.tsx'
import { OutboxStatusLine } from './outbox-status-line.tsx'
import { ParticipantGroups } from './participant-groups.tsx'
import { WalkInGuests } from './walk-in-guests.tsx'

const LOCKED_BY = 'attendance-locked'

/**
 * The date whose attendance is shown: the selected one, or else that in the URL, or else the server's preselection. The
 * date in the URL applies if the page is loaded on the day on which it was opened or selected, because phones reload
 * pages that were in the background.
 */
function useShownDate({ courseId, courseDates, preSelectCourseDateId, fetchedAt }: StoredAttendanceList) {
  const [chosenDateId, setChosenDateId] = useState<number | null>(null)
  const [, navigate] = useLocation()
  const chooseDate = (id: number) => {
    setChosenDateId(id)
    const chosen = courseDates.find(of => of.id === id)
    if (chosen) navigate(attendanceListUrl(courseId, chosen.date), { replace: true, state: { openedOn: today } })
  }
  // The device clock may have been set back; the list cannot be from the future.
  const deviceToday = useToday()
  const today = Math.max(deviceToday, startOfDayAt(fetchedAt))
  const openedOn = useHistoryState<{ openedOn?: number } | null>()?.openedOn ?? today
  useEffect(() => window.history.replaceState({ ...window.history.state, openedOn }, ''), [openedOn])
  const [isOfToday] = useState(openedOn === today)
  const address = new URLSearchParams(useQueryString())
  const ofUrl = isOfToday ? findDateOfUrl(courseDates, address.get('date')) : undefined
  // A lesson that was cancelled after the list was opened is no longer among the dates.
  const chosenDate = courseDates.find(({ id }) => id === chosenDateId)
  const { id: dateId } = chosenDate ?? ofUrl ?? { id: preSelectCourseDateId }
  const { date, isReadOnly } = courseDates.find(({ id }) => id === dateId) ?? {}
  const inDays = date === undefined ? 0 : daysUntil(date, today)
  return { dateId, date, isReadOnly, today, inDays, isToCome: inDays > 0 && today === deviceToday, chooseDate }
}

/** Attendance list for one date, including changes that have not been sent yet. */
function useListState(list: StoredAttendanceList, dateId: number, userId: number) {
  const { courseId } = list
  const view = useBatchedOutboxView()
  const { entries } = view
  const presences = useMemo(() => presenceIndexOf(list), [list])
  const ticks = useMemo(() => pendingPresenceEntriesOf(entries, courseId, userId), [entries, courseId, userId])
  const rows = useMemo(
    () => participantRowsOf(list, presences, dateId, ticks, view),
    [list, presences, dateId, ticks, view],
  )
  const completion = findPendingCompletionEntry(entries, courseId, userId)
  return {
    rows,
    guests: guestRowsOf(list, dateId, entries, userId, view),
    completion,
    isClosed: isAttendanceClosed(list, completion),
    ...countUnsyncedChanges(entries, userId, { courseId }),
    openOn: (of: number) => countUnsyncedChangesOnDate(entries, userId, of),
  }
}

/** Why attendance on the date cannot be changed; undefined if it can. */
function useLockReason(
  { date, isReadOnly, today, isToCome }: ReturnType<typeof useShownDate>,
  isClosed: boolean,
): string | undefined {
  const { t } = useTranslation('attendance')
  const language = useLanguage()
  if (isClosed) return t('closed')
  if (isReadOnly) return t('readOnly')
  return isToCome && date ? t('toCome', { day: formatRelativeDay(date, today, language) }) : undefined
}

/** Attendance on one date of a course, with the actions to record it. */
export function AttendanceBoard({ list, title }: { list: StoredAttendanceList; title: string }) {
  const { t } = useTranslation('attendance')
  const { courseId, courseDates } = list
  const userId = useSession(state => state.session?.webUserId ?? 0)
  const [search, setSearch] = useState('')
  const shown = useShownDate(list)
  const { dateId, date, today, inDays, chooseDate } = shown
  const changes = useAttendance(state => state.courses?.find(({ id }) => id === courseId)?.changes) ?? []
  const cancelled = changes.filter(({ kind }) => kind === 'cancelled')
  const { onSet, decide, onDecide, ...bulkActions } = useAttendanceActions(courseId, dateId, userId)
  useWakeLock()

  const { rows, guests, completion, isClosed, unsent, refused, openOn } = useListState(list, dateId, userId)
  const isShown = ({ name }: ParticipantRow) => search === '' || matchesParticipantName(name, search)
  const isAnyShown = rows.some(isShown)
  const present = rows.filter(({ mark }) => mark === 'present').length
  const summary = t('present', { present, all: rows.length })
  const locked = useLockReason(shown, isClosed)
  const isLocked = locked !== undefined

  const chosen = {
    dates: courseDates.map(of => ({ ...of, open: openOn(of.id) })),
    dateId,
    onChoose: chooseDate,
  }

  return (
    <>
      <div className={classes.head}>
        <AttendanceBar
          title={title}
          choice={
            courseDates.length > 0 && <DateChoice {...chosen} cancelled={cancelled.map(({ at }) => at)} today={today} />
          }
        >
          <AttendanceCount list={list} dateId={dateId} userId={userId} />
        </AttendanceBar>
        <AttendanceListTools {...chosen} search={search} onSearch={setSearch} />
      </div>
      <BoardAnnouncer userId={userId} summary={summary} unsent={unsent} refused={refused} locked={locked} />
      <div>
        <BoardNotices list={list} cancelled={cancelled} today={today} />
        {completion && <RejectedCompletion completion={completion} decide={decide} />}
        <EmptyList list={list} hasRows={rows.length > 0} search={isAnyShown ? '' : search} />
        <ParticipantGroups rows={rows} isShown={isShown}>
          {row => (
            <AttendanceRow
              key={`${dateId}/${row.webUserId}`}
              {...row}
              dates={courseDates.length}
              isLocked={isLocked}
              lockedBy={LOCKED_BY}
              onSet={onSet}
              onDecide={onDecide}
            />
          )}
        </ParticipantGroups>
        {date && (
          <WalkInGuests
            courseId={courseId}
            courseDateId={dateId}
            guests={guests}
            isLocked={isLocked}
            wanted={isAnyShown ? '' : search}
            onNoted={() => setSearch('')}
          />
        )}
        <OrphanedChanges courseId={courseId} list={list} />
        <CourseButtons list={list} today={today} isClosed={isClosed} summary={summary} unsent={unsent} />
      </div>
      <div className={classes.foot}>
        <OutboxStatusLine />
        <AttendanceListEnd
          list={list}
          dateId={dateId}
          userId={userId}
          id={LOCKED_BY}
          locked={locked}
          isToday={inDays === 0}
          isAllPresent={expectedRows(rows).length === 0}
          {...bulkActions}
        />
      </div>
    </>
  )
}

type CourseButtonsProps = {
  list: StoredAttendanceList
  today: number
  isClosed: boolean
  summary: string
  unsent: number
}

/** Buttons for the whole course: close or reopen its attendance, which a substitute may not, and print the list. */
function CourseButtons({ list, today, ...completion }: CourseButtonsProps) {
  const { courseId, courseDates, isSubstitute } = list
  const isOver = courseDates.every(({ date }) => daysUntil(date, today) <= 0)
  return (
    <CardBody layout="stack">
      {!isSubstitute && <AttendanceCompletionButton courseId={courseId} isOver={isOver} {...completion} />}
      <DownloadParticipantListButton courseId={courseId} />
    </CardBody>
  )
}
