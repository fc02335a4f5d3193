import { type ReactNode, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Course } from '#contract/endpoints/courses.ts'
import { CourseChanges } from '#features/courses/components/course-changes.tsx'
import { useSession } from '#features/session/store.ts'
import { daysUntil, formatRelativeDay, startOfDayAt } from '#lib/format.ts'
import { useOnline } from '#lib/online.ts'
import { useLanguage } from '#lib/use-language.ts'
import { useToday } from '#lib/use-now.ts'
import { useQueryString } from '#lib/use-query-string.ts'
import { ButtonLink } from '#ui/button.tsx'
import { CardBody, Columns, Notice, Text } from '#ui/layout.tsx'
import { EmptyState } from '#ui/state-panel.tsx'
import {
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
import { needsDecision } from '../outbox/records.ts'
import { useAttendance, useBatchedOutboxView } from '../store.ts'
import { useAttendanceActions } from '../use-attendance-actions.ts'
import { useWakeLock } from '../use-screen-wake-lock.ts'
import { AttendanceAnnouncer } from './attendance-announcer.tsx'
import { AttendanceBar, AttendanceCount, AttendanceListTools, DateChoice } from './attendance-bar.tsx'
import { AttendanceCompletionButton, AttendanceListEnd, DownloadParticipantListButton } from './attendance-list-end.tsx'
import { AttendanceRow } from './attendance-row.tsx'
import classes from './gym.module.css'
import { OrphanedChanges } from './orphaned-changes.tsx'
import { OutboxStatusLine } from './outbox-status-line.tsx'
import { RejectedChange } from './rejected-change.tsx'
import { WalkInGuests } from './walk-in-guests.tsx'

const LOCKED_BY = 'attendance-locked'
/** Rows per list element. Shorter lists limit style, layout and accessibility work per tap; see docs/decisions/0013. */
const TOGETHER = 24

/** The date whose attendance is shown: the selected one, or else that in the URL, or else the server's preselection. */
function useShownDate({ courseDates, preSelectCourseDateId, fetchedAt }: StoredAttendanceList) {
  const [chosenDateId, chooseDate] = useState<number | null>(null)
  const address = new URLSearchParams(useQueryString())
  // A lesson that was cancelled after the list was opened is no longer among the dates.
  const chosenDate = courseDates.find(({ id }) => id === chosenDateId)
  const { id: dateId } = chosenDate ?? findDateOfUrl(courseDates, address.get('date')) ?? { id: preSelectCourseDateId }
  const { date, isReadOnly } = courseDates.find(({ id }) => id === dateId) ?? {}
  // The device clock may have been set back; the list cannot be from the future.
  const deviceToday = useToday()
  const today = Math.max(deviceToday, startOfDayAt(fetchedAt))
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

type AnnouncerProps = {
  userId: number
  summary: string
  unsent: number
  refused: number
  /** why attendance cannot be changed */
  locked: string | undefined
}

/** Announces the state of the list to screen readers in full sentences. */
function BoardAnnouncer({ userId, summary, unsent, refused, locked }: AnnouncerProps) {
  const { t } = useTranslation('attendance')
  const texts = [
    summary,
    unsent > 0 && t('announce.unsent', { count: unsent }),
    refused > 0 && t('outbox.refused', { count: refused }),
    locked,
  ]
  const sentences = texts.filter(text => typeof text === 'string').map(text => text.replace(/\.?$/, '.'))
  return <AttendanceAnnouncer userId={userId} text={sentences.join(' ')} />
}

type NoticesProps = { list: StoredAttendanceList; cancelled: Course['changes']; today: number }

/** Notices that an instructor should read before recording attendance. */
function BoardNotices({ list, cancelled, today }: NoticesProps) {
  return (
    <>
      {cancelled.some(({ at }) => daysUntil(at, today) === 0) && <CourseChanges course={{ changes: cancelled }} />}
      <TemporarySessionNotice courseId={list.courseId} />
      {list.message && <CardBody as="p">{list.message}</CardBody>}
    </>
  )
}

type RejectedProps = Pick<ReturnType<typeof useAttendanceActions>, 'decide'> & {
  completion: NonNullable<ReturnType<typeof findPendingCompletionEntry>>
}

/** Shown when the server has refused to close or reopen the attendance. The instructor decides what to do next. */
function RejectedCompletion({ completion, decide }: RejectedProps) {
  const { t } = useTranslation('attendance')
  if (!needsDecision(completion)) return null
  return (
    <RejectedChange
      name={t('close')}
      reason={completion.lastError}
      markAtServer={null}
      onDecide={decision => decide(completion, decision)}
    />
  )
}

type EmptyProps = { list: StoredAttendanceList; hasRows: boolean; search: string }

/** @param search search text, if it matches no participant */
function EmptyList({ list, hasRows, search }: EmptyProps) {
  const { t } = useTranslation('attendance')
  if (list.courseDates.length === 0) return <EmptyState title={t('noDates')} />
  if (!hasRows) return <EmptyState title={t('noParticipants')} />
  return search && <CardBody as="p">{t('nobody', { search })}</CardBody>
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

/** Offers to stay logged in, because changes made offline can be sent only while the session lasts. */
function TemporarySessionNotice({ courseId }: { courseId: number }) {
  const { t } = useTranslation('attendance')
  const isTemporary = useSession(state => state.session?.keepSession === false)
  const isOnline = useOnline(state => state.isOnline)
  if (!isOnline || !isTemporary) return null
  return (
    <Notice as="div" layout="row">
      <Text as="span" grow>
        {t('instructor.notKept')}
      </Text>
      <ButtonLink href={`/login?renew&next=/course-participation/${courseId}`} look="plain">
        {t('instructor.keep')}
      </ButtonLink>
    </Notice>
  )
}

type ParticipantGroupsProps = {
  rows: readonly ParticipantRow[]
  isShown: (row: ParticipantRow) => boolean
  children: (row: ParticipantRow) => ReactNode
}

/** The participants, split into lists of limited length that are labelled with their first and last name. */
function ParticipantGroups({ rows, isShown, children }: ParticipantGroupsProps) {
  const { t } = useTranslation('attendance')
  return Array.from({ length: Math.ceil(rows.length / TOGETHER) }, (_, at) => {
    const people = rows.slice(at * TOGETHER, (at + 1) * TOGETHER)
    return (
      <Columns
        as="ul"
        // biome-ignore lint/suspicious/noArrayIndexKey: groups are identified only by their position
        key={at}
        gap="none"
        className={classes.people}
        aria-label={
          rows.length > TOGETHER ? t('people', { first: people[0]?.name, last: people.at(-1)?.name }) : undefined
        }
        hidden={!people.some(isShown)}
      >
        {people.filter(isShown).map(children)}
      </Columns>
    )
  })
}
