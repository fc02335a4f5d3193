import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'wouter'
import { CourseChanges } from '#features/courses/components/course-changes.tsx'
import { useSession } from '#features/session/store.ts'
import { daysUntil, formatRelativeDay, todayOf } from '#lib/format.ts'
import { useOnline } from '#lib/online.ts'
import { useLanguage } from '#lib/use-language.ts'
import { useToday } from '#lib/use-now.ts'
import { ButtonLink } from '#ui/button.tsx'
import { ActionLink, CardBody, Columns, Notice, Text } from '#ui/layout.tsx'
import { IconChevronDown } from '#ui/shell-icons.ts'
import { EmptyState } from '#ui/state-panel.tsx'
import {
  countOpenChanges,
  countOpenOnDate,
  findDateOfUrl,
  guestRowsOf,
  isAttendanceClosed,
  matchesName,
  type ParticipantRow,
  participantRowsOf,
  pendingCompletionOf,
  pendingTicksOf,
  presencesOf,
  rowsNotPresent,
} from '../model.ts'
import type { StoredList } from '../outbox/list-rows.ts'
import { needsDecision } from '../outbox/records.ts'
import { useAttendance, useBatchedView } from '../store.ts'
import { useAttendanceActions } from '../use-attendance-actions.ts'
import { useWakeLock } from '../use-screen-wake-lock.ts'
import { AttendanceAnnouncer } from './attendance-announcer.tsx'
import { AttendanceBar, AttendanceCount, AttendanceListTools, DateChoice } from './attendance-bar.tsx'
import { AttendanceRow } from './attendance-row.tsx'
import { CompleteButton } from './complete-button.tsx'
import classes from './gym.module.css'
import { AttendanceListEnd } from './list-end.tsx'
import { OrphanedChanges } from './orphaned-changes.tsx'
import { OutboxStatusLine } from './outbox-line.tsx'
import { ParticipantListButton } from './participant-list-button.tsx'
import { RejectedChange } from './refused-tick.tsx'
import { WalkInGuests } from './walk-in-guests.tsx'

const LOCKED_BY = 'attendance-locked'
/** Rows per list element. Shorter lists limit style, layout and accessibility work per tap; see docs/decisions/0013. */
const TOGETHER = 24

/** Attendance on one date of a course, with the actions to record it. */
export function AttendanceBoard({ list, title }: { list: StoredList; title: string }) {
  const { t } = useTranslation('attendance')
  const language = useLanguage()
  const { courseId, courseDates } = list
  const userId = useSession(state => state.session?.webUserId ?? 0)
  const isTemporary = useSession(state => state.session?.keepSession === false)
  const isOnline = useOnline(state => state.isOnline)
  const view = useBatchedView()
  const { entries } = view
  const [chosenDateId, setChosenDateId] = useState<number | null>(null)
  const [search, setSearch] = useState('')
  const [address] = useSearchParams()
  // A lesson that was cancelled after the list was opened is no longer among the dates.
  const chosenDate = courseDates.find(({ id }) => id === chosenDateId)
  const { id: dateId } = chosenDate ??
    findDateOfUrl(courseDates, address.get('date')) ?? { id: list.preSelectCourseDateId }
  const changes = useAttendance(state => state.courses?.find(({ id }) => id === courseId)?.changes) ?? []
  const cancelled = changes.filter(({ kind }) => kind === 'cancelled')
  const { date, isReadOnly } = courseDates.find(({ id }) => id === dateId) ?? {}
  // The device clock may have been set back; the list cannot be from the future.
  const deviceToday = useToday()
  const today = Math.max(deviceToday, todayOf(list.fetchedAt))
  const { onSet, setAllPresent, setRestAbsent, undo, isUndoable, decide, onDecide } = useAttendanceActions(
    courseId,
    dateId,
    userId,
  )
  useWakeLock()

  const presences = useMemo(() => presencesOf(list), [list])
  const ticks = useMemo(() => pendingTicksOf(entries, courseId, userId), [entries, courseId, userId])
  const rows = useMemo(
    () => participantRowsOf(list, presences, dateId, ticks, view),
    [list, presences, dateId, ticks, view],
  )
  const isShown = ({ name }: ParticipantRow) => search === '' || matchesName(name, search)
  const isAnyShown = rows.some(isShown)
  const lists = Array.from({ length: Math.ceil(rows.length / TOGETHER) }, (_, at) => ({
    from: at * TOGETHER,
    people: rows.slice(at * TOGETHER, (at + 1) * TOGETHER),
  }))
  const completion = pendingCompletionOf(entries, courseId, userId)
  const closed = isAttendanceClosed(list, completion)
  const inDays = date === undefined ? 0 : daysUntil(date, today)
  const isToCome = inDays > 0 && today === deviceToday
  const isOver = courseDates.every(of => daysUntil(of.date, today) <= 0)
  const day = date ? formatRelativeDay(date, today, language) : ''
  const present = rows.filter(({ mark }) => mark === 'present').length
  const summary = t('present', { present, all: rows.length })
  const { unsent, refused } = countOpenChanges(entries, userId, { courseId })

  const locked = closed ? t('closed') : isReadOnly ? t('readOnly') : isToCome ? t('toCome', { day }) : undefined
  const isLocked = locked !== undefined

  const complete = (
    <CompleteButton
      courseId={courseId}
      isClosed={closed}
      look={isOver && !closed ? 'signal' : 'quiet'}
      summary={summary}
      unsent={unsent}
    />
  )
  const chosen = {
    dates: courseDates.map(of => ({ ...of, open: countOpenOnDate(entries, userId, of.id) })),
    dateId,
    onChoose: setChosenDateId,
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
      <AttendanceAnnouncer
        userId={userId}
        text={[
          summary,
          unsent > 0 && t('announce.unsent', { count: unsent }),
          refused > 0 && t('outbox.refused', { count: refused }),
          locked,
        ]
          .filter(text => typeof text === 'string')
          .map(text => text.replace(/\.?$/, '.'))
          .join(' ')}
      />
      <div>
        {cancelled.some(({ at }) => daysUntil(at, today) === 0) && <CourseChanges course={{ changes: cancelled }} />}
        {isOnline && isTemporary && (
          <Notice as="div" layout="row">
            <Text as="span" grow>
              {t('instructor.notKept')}
            </Text>
            <ButtonLink href={`/login?renew&next=/course-participation/${courseId}`} look="plain">
              {t('instructor.keep')}
            </ButtonLink>
          </Notice>
        )}
        {list.message && <CardBody as="p">{list.message}</CardBody>}
        {completion && needsDecision(completion) && (
          <RejectedChange
            name={t('close')}
            reason={completion.lastError}
            markAtServer={null}
            onDecide={decision => decide(completion, decision)}
          />
        )}
        {courseDates.length === 0 && <EmptyState title={t('noDates')} />}
        {courseDates.length > 0 && rows.length === 0 && <EmptyState title={t('noParticipants')} />}
        {rows.length > 0 && !isAnyShown && <CardBody as="p">{t('nobody', { search })}</CardBody>}
        {lists.map(({ from, people }) => (
          <Columns
            as="ul"
            key={from}
            gap="none"
            className={classes.people}
            aria-label={
              lists.length > 1 ? t('people', { first: people[0]?.name, last: people.at(-1)?.name }) : undefined
            }
            hidden={!people.some(isShown)}
          >
            {people.filter(isShown).map(row => (
              <AttendanceRow
                key={`${dateId}/${row.webUserId}`}
                {...row}
                dates={courseDates.length}
                isLocked={isLocked}
                lockedBy={LOCKED_BY}
                onSet={onSet}
                onDecide={onDecide}
              />
            ))}
          </Columns>
        ))}
        {date && (
          <WalkInGuests
            courseId={courseId}
            courseDateId={dateId}
            guests={guestRowsOf(list, dateId, entries, userId, view)}
            isLocked={isLocked}
            wanted={isAnyShown ? '' : search}
            onNoted={() => setSearch('')}
          />
        )}
        <OrphanedChanges courseId={courseId} list={list} />
        <CardBody layout="stack">
          {list.isSubstitute ? null : isOver || closed ? (
            complete
          ) : (
            <details>
              <ActionLink as="summary">
                {t('more')} <IconChevronDown size={20} />
              </ActionLink>
              {complete}
            </details>
          )}
          <ParticipantListButton courseId={courseId} />
        </CardBody>
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
          isAllPresent={rowsNotPresent(rows).length === 0}
          setAllPresent={setAllPresent}
          setRestAbsent={setRestAbsent}
          isUndoable={isUndoable}
          undo={undo}
        />
      </div>
    </>
  )
}
