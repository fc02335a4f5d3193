import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { TodayTask } from '#contract/office/today.ts'
import { PROFILE_FIELD_LABELS } from '#contract/tables/person.ts'
import { formatMoney, nameInLanguage, textInLanguage } from '#contract/words.ts'
import { useSession } from '#features/session/store.ts'
import { useLanguage } from '#lib/use-language.ts'
import { Button, ButtonLink } from '#ui/button.tsx'
import { ActionLink, Stack, Text } from '#ui/layout.tsx'
import { startAct } from '../act-store.ts'
import { formatWallClockTime, hasAnyRight } from '../model.ts'
import { recordAttendanceList, remindOfAttendance } from './attendance-acts.tsx'
import { BillingTasks } from './billing-tasks.tsx'
import { RecordLink } from './record-link.tsx'
import { askSubstitutes, withdrawSubstitutes } from './substitute-acts.tsx'
import { TaskGroup, TaskLine, TaskList, TaskTotals } from './task-list.tsx'
import {
  bookWalkInGuest,
  cancelPastLesson,
  confirmOrCancelCourse,
  type TodayData,
  useMayChangeProgramme,
} from './today-acts.ts'

// Without the program before them, which differs: npm run in the sources, portal in a release.
const RELEASE_COMMAND = 'mails --release'
const AUDIT_COMMAND = 'audit'

/** List of open tasks with their action buttons, urgent ones first. */
export function TodayTasks({ today }: { today: TodayData }) {
  const { t } = useTranslation('office')
  return (
    <TaskTotals value={{ totals: today.totals, all: '' }}>
      <Stack as="section" gap="s" aria-labelledby="needs">
        <Text as="h2" id="needs" variant="heading" flush>
          {t('today.needs')}
        </Text>
        <TaskList empty={t('today.nothingToDo')}>
          <BlockedTasks today={today} />
          <UrgentTasks today={today} />
          <BillingTasks />
          <PeopleTasks today={today} />
          <ScheduleTasks today={today} />
        </TaskList>
      </Stack>
    </TaskTotals>
  )
}

/** A single list of tasks with all its lines. */
export function CompleteTaskList({ today, all }: { today: TodayData; all: TodayTask }) {
  const { t } = useTranslation('office')
  return (
    <TaskTotals value={{ totals: today.totals, all }}>
      <TaskList empty={t('today.nothingToDo')}>
        <UrgentTasks today={today} />
        <PeopleTasks today={today} />
        <ScheduleTasks today={today} />
      </TaskList>
    </TaskTotals>
  )
}

const telephone = (phone: string) => `tel:${phone.replace(/[^+\d]/g, '')}`
const personLink = (webUserId: number, name: string) => (
  <RecordLink kind="people" id={webUserId}>
    {name}
  </RecordLink>
)

/**
 * Problems that staff or the operator must resolve: a directory that removes too many people, e-mails held back since a
 * restore, a wrong public URL of the portal, and an audit log whose end is not stored outside the database.
 */
function BlockedTasks({ today }: { today: TodayData }) {
  const { t } = useTranslation('office')
  const language = useLanguage()
  const { held, wrongAddress, directoryRemovals, isAuditAnchorOutdated } = today
  return (
    <>
      <TaskGroup title={t('today.removals')} weight="now">
        {directoryRemovals && <TaskLine title="" text={t('today.removalsText', directoryRemovals)} />}
      </TaskGroup>
      <TaskGroup title={t('today.held')} weight="now">
        {held && (
          <TaskLine
            title=""
            text={t('today.heldText', {
              at: formatWallClockTime(held.since, language),
              mails: held.mails,
              command: RELEASE_COMMAND,
            })}
          />
        )}
      </TaskGroup>
      <TaskGroup title={t('today.wrongAddress')} weight="now">
        {wrongAddress && <TaskLine title="" text={t('today.wrongAddressText', { address: wrongAddress })} />}
      </TaskGroup>
      <TaskGroup title={t('today.auditAnchor')} weight="now">
        {isAuditAnchorOutdated && <TaskLine title="" text={t('today.auditAnchorText', { command: AUDIT_COMMAND })} />}
      </TaskGroup>
    </>
  )
}

/** Lessons that conflict with another one or lack an instructor. */
function ConflictTasks({
  today: { clashes = [], closures = [], absences = [], substitutes = [] },
}: {
  today: TodayData
}) {
  const { t } = useTranslation('office')
  const language = useLanguage()
  const say = (at: string) => formatWallClockTime(at, language)
  return (
    <>
      <TaskGroup list="clashes" title={t('today.clashes')} weight="now">
        {clashes.map(({ courseDateId, courseId, number, name, at, otherCourseId, otherCourse, shared }) => (
          <TaskLine
            key={`${courseDateId} ${otherCourseId} ${shared}`}
            title={
              <RecordLink kind="courses" id={courseId}>
                {`${number} ${name}`}
              </RecordLink>
            }
            text={t('today.clash', { at: say(at), shared, other: otherCourse })}
          >
            <RecordLink kind="courses" id={courseId} tab="lessons" isAct>
              {t('today.lessons')}
            </RecordLink>
          </TaskLine>
        ))}
      </TaskGroup>
      <TaskGroup list="closures" title={t('today.closures')} weight="now">
        {closures.map(({ closureId, roomIds, site, name, from, to, at, lessons }) => (
          <TaskLine key={closureId} title={name} text={t('today.closure', { at: say(at), count: lessons })}>
            <ButtonLink
              look="text"
              data-edit
              href={`/office/basics?${new URLSearchParams({ closed: roomIds.join() || 'site', site, name, from, to })}`}
            >
              {t('today.replan')}
            </ButtonLink>
          </TaskLine>
        ))}
      </TaskGroup>
      <TaskGroup list="absences" title={t('today.absences')} weight="now">
        {absences.map(({ absenceId, instructorEmail, name, from, to, at, lessons, courseDateIds }) => (
          <TaskLine key={absenceId} title={name} text={t('today.absence', { at: say(at), count: lessons })}>
            <ButtonLink
              look="text"
              data-edit
              href={`/office/basics?${new URLSearchParams({ absent: instructorEmail, from, to })}`}
            >
              {t('today.cover')}
            </ButtonLink>
            <Button
              look="text"
              aria-label={`${t('substitute.ask')}: ${name}`}
              onClick={() => startAct(askSubstitutes(t, courseDateIds, name))}
            >
              {t('substitute.ask')}
            </Button>
          </TaskLine>
        ))}
      </TaskGroup>
      <TaskGroup list="substitutes" title={t('today.substitutes')} weight="now">
        {substitutes.map(lesson => {
          const { courseDateId, courseId, number, at, asked, declined, until } = lesson
          const about = `${number} ${nameInLanguage(language, lesson)}, ${say(at)}`
          return (
            <TaskLine
              key={courseDateId}
              title={
                <RecordLink kind="courses" id={courseId} tab="lessons">
                  {`${number} ${nameInLanguage(language, lesson)}`}
                </RecordLink>
              }
              text={t('today.substitute', { at: say(at), asked, declined, until: say(until) })}
            >
              <Button
                look="text"
                data-edit
                aria-label={`${t('substitute.askAgain')}: ${about}`}
                onClick={() => startAct(askSubstitutes(t, [courseDateId], about))}
              >
                {t('substitute.askAgain')}
              </Button>
              <RecordLink kind="courses" id={courseId} tab="lessons" isAct>
                {t('today.assign')}
              </RecordLink>
              <Button
                look="text"
                aria-label={`${t('substitute.withdraw')}: ${about}`}
                onClick={() => startAct(withdrawSubstitutes(t, [courseDateId], about))}
              >
                {t('substitute.withdraw')}
              </Button>
            </TaskLine>
          )
        })}
      </TaskGroup>
    </>
  )
}

/** Urgent tasks: people whom no message has reached, conflicts, walk-in guests, and messages that cannot be sent. */
function UrgentTasks({ today }: { today: TodayData }) {
  const { t } = useTranslation('office')
  const language = useLanguage()
  const { call = [], guests = [], mails = [] } = today
  const say = (at: string) => formatWallClockTime(at, language)
  return (
    <>
      <TaskGroup list="call" title={t('today.call')} weight="now">
        {call.map(({ letterId, webUserId, name, phone, about }) => (
          <TaskLine key={letterId} title={personLink(webUserId, name)} text={about}>
            {phone && (
              <ActionLink href={telephone(phone)} data-edit>
                {phone}
              </ActionLink>
            )}
            <ButtonLink look="text" href="/office/letters">
              {t('today.letter')}
            </ButtonLink>
          </TaskLine>
        ))}
      </TaskGroup>
      <ConflictTasks today={today} />
      <TaskGroup list="guests" title={t('today.guests')} weight="now">
        {guests.map(({ guestId, name, courseId, courseName, at, freePlaces, accounts }) => (
          <TaskLine key={guestId} title={name} text={`${courseName}, ${say(at)}`}>
            {freePlaces > 0 && accounts.length === 1 && accounts[0] && (
              <Button
                look="text"
                data-edit
                onClick={() => accounts[0] && startAct(bookWalkInGuest(t, courseId, courseName, accounts[0]))}
              >
                {t('today.book')}
              </Button>
            )}
            <ButtonLink look="text" href={`/office/people?q=${encodeURIComponent(name)}`}>
              {t('today.find')}
            </ButtonLink>
          </TaskLine>
        ))}
      </TaskGroup>
      <TaskGroup list="mails" title={t('today.mails')} weight="now">
        {mails.map(({ webUserId, name, at, isGivenUp }, index) => (
          <TaskLine
            // biome-ignore lint/suspicious/noArrayIndexKey: two e-mails to a person may have the same minute
            key={index}
            title={webUserId ? personLink(webUserId, name) : t('today.nobody')}
            text={t(isGivenUp ? 'today.givenUp' : 'today.waiting', { at: say(at) })}
          />
        ))}
      </TaskGroup>
    </>
  )
}

/** Tasks for people who can be billed neither through payroll nor by invoice, because data is missing. */
function PeopleTasks({ today }: { today: TodayData }) {
  const { t } = useTranslation('office')
  const language = useLanguage()
  const { unverified = [], withoutPayer = [], numberConflicts = [], passedOver = [] } = today
  return (
    <>
      <TaskGroup list="withoutPayer" title={t('today.withoutPayer')}>
        {withoutPayer.map(({ webUserId, name, courseId, courseName, courseName2, number, amount, missing }, index) => (
          <TaskLine
            // biome-ignore lint/suspicious/noArrayIndexKey: a course may be booked, ended with a charge and booked again
            key={`${webUserId} ${courseId} ${index}`}
            title={personLink(webUserId, name)}
            text={t('today.payerMissing', {
              course: `${number} ${textInLanguage(language, courseName, courseName2)}`,
              sum: formatMoney(amount),
              field: PROFILE_FIELD_LABELS[language][missing],
            })}
          >
            <RecordLink kind="people" id={webUserId} isAct>
              {t('today.complete')}
            </RecordLink>
          </TaskLine>
        ))}
      </TaskGroup>
      <TaskGroup list="numberConflicts" title={t('today.numberConflicts')}>
        {numberConflicts.map(({ webUserId, version, name, email, personnelNumber, otherNumber }) => (
          <TaskLine
            key={webUserId}
            title={personLink(webUserId, name)}
            text={t('today.numberConflict', { email, personnelNumber, otherNumber })}
          >
            <Button
              look="text"
              data-edit
              onClick={() =>
                startAct({
                  act: { kind: 'change-person', webUserId, version, personnelNumber: otherNumber },
                  title: t('today.takeNumber'),
                  about: `${name}: ${personnelNumber} → ${otherNumber}`,
                })
              }
            >
              {t('today.takeNumber')}
            </Button>
            <RecordLink kind="people" id={webUserId} isAct>
              {t('today.changeAddress')}
            </RecordLink>
          </TaskLine>
        ))}
      </TaskGroup>
      <TaskGroup list="passedOver" title={t('today.passedOver')}>
        {passedOver.map(({ webUserId, name, courseId, courseName, courseName2, number, why }) => (
          <TaskLine
            key={`${webUserId} ${courseId}`}
            title={personLink(webUserId, name)}
            text={t(`today.passedOverBecause.${why}`, {
              course: `${number} ${textInLanguage(language, courseName, courseName2)}`,
            })}
          >
            <Button
              look="text"
              data-edit
              onClick={() =>
                startAct({
                  act: { kind: 'cancel-booking', webUserId, courseId, charge: 'none' },
                  title: t('today.endWaiting'),
                  about: `${name}, ${number}`,
                })
              }
            >
              {t('today.endWaiting')}
            </Button>
            <RecordLink kind="people" id={webUserId} isAct>
              {t('today.openPerson')}
            </RecordLink>
          </TaskLine>
        ))}
      </TaskGroup>
      <TaskGroup list="unverified" title={t('today.unverified')}>
        {unverified.map(({ webUserId, version, name, personnelNumber }) => (
          <TaskLine key={webUserId} title={personLink(webUserId, name)} text={personnelNumber}>
            <Button
              look="text"
              data-edit
              onClick={() =>
                startAct({
                  act: { kind: 'verify-person', webUserId, version },
                  title: t('today.verify'),
                  about: [name, personnelNumber].filter(Boolean).join(', '),
                })
              }
            >
              {t('today.verify')}
            </Button>
          </TaskLine>
        ))}
      </TaskGroup>
    </>
  )
}

/**
 * Tasks for the next few days: courses to confirm or cancel, missing attendance records, and upcoming starts of
 * booking.
 */
function ScheduleTasks({ today: { decisions = [], unrecorded = [], openings = [], totals } }: { today: TodayData }) {
  const { t } = useTranslation('office')
  const language = useLanguage()
  const mayChange = useMayChangeProgramme()
  const mayRecord = useSession(state => hasAnyRight(state.session?.rights ?? [], ['bookings']))
  const say = (at: string) => formatWallClockTime(at, language)
  return (
    <>
      <TaskGroup list="decisions" title={t('today.decisions')}>
        {decisions.map(course => {
          const { courseId, number, booked, minParticipants, decideOn } = course
          const about = `${number} ${nameInLanguage(language, course)}`
          const [day] = say(decideOn).split(',')
          return (
            <TaskLine
              key={courseId}
              title={
                <RecordLink kind="courses" id={courseId}>
                  {about}
                </RecordLink>
              }
              text={t('today.decide', { booked, needed: minParticipants, day })}
            >
              {(['confirm-course', 'cancel-course'] as const).map(kind => (
                <Button
                  key={kind}
                  look="text"
                  {...(kind === 'confirm-course' && { 'data-edit': true })}
                  aria-label={`${t(`today.${kind}`)}: ${about}`}
                  onClick={() => startAct(confirmOrCancelCourse(t, course, about, kind))}
                >
                  {t(`today.${kind}`)}
                </Button>
              ))}
            </TaskLine>
          )
        })}
      </TaskGroup>
      <TaskGroup
        list="unrecorded"
        title={t('today.unrecorded')}
        action={
          unrecorded.length > 1 &&
          unrecorded.length === totals.unrecorded && (
            <Button
              look="text"
              onClick={() =>
                startAct(
                  remindOfAttendance(
                    t,
                    unrecorded.map(({ courseDateId }) => courseDateId),
                    t('today.lessonCount', { count: unrecorded.length }),
                  ),
                )
              }
            >
              {t('attendance.remindAll')}
            </Button>
          )
        }
      >
        {unrecorded.map(lesson => {
          const about = `${nameInLanguage(language, lesson)}, ${say(lesson.at)}`
          return (
            <TaskLine
              key={lesson.courseDateId}
              title={
                <RecordLink kind="courses" id={lesson.courseId}>
                  {nameInLanguage(language, lesson)}
                </RecordLink>
              }
              text={[
                say(lesson.at),
                lesson.instructor,
                t('today.booked', { count: lesson.booked }),
                lesson.remindedOn && t('attendance.reminded', { day: say(lesson.remindedOn).split(',')[0] }),
              ]
                .filter(Boolean)
                .join(' · ')}
            >
              {mayRecord && (
                <Button
                  look="text"
                  data-edit
                  aria-label={`${t('attendance.record')}: ${about}`}
                  onClick={() => startAct(recordAttendanceList(t, lesson.courseDateId, about))}
                >
                  {t('attendance.record')}
                </Button>
              )}
              <Button
                look="text"
                aria-label={`${t('attendance.remind')}: ${about}`}
                onClick={() => startAct(remindOfAttendance(t, [lesson.courseDateId], about))}
              >
                {t('attendance.remind')}
              </Button>
              {mayChange && (
                <Button
                  look="text"
                  aria-label={`${t('today.fellOut')}: ${about}`}
                  onClick={() => startAct(cancelPastLesson(t, lesson, about))}
                >
                  {t('today.fellOut')}
                </Button>
              )}
            </TaskLine>
          )
        })}
      </TaskGroup>
      <TaskGroup list="openings" title={t('today.openings')}>
        {openings.map(({ seasonId, at, courses, ...season }) => (
          <TaskLine
            key={`${seasonId} ${at}`}
            title={<Link href={`/office/season?season=${seasonId}`}>{nameInLanguage(language, season)}</Link>}
            text={`${say(at)} · ${t('today.courses', { count: courses })}`}
          />
        ))}
      </TaskGroup>
    </>
  )
}
