import { useTranslation } from 'react-i18next'
import { nameInLanguage } from '#contract/words.ts'
import { useLanguage } from '#lib/use-language.ts'
import { Button, ButtonLink } from '#ui/button.tsx'
import { ActionLink } from '#ui/layout.tsx'
import { startAct } from '../act-store.ts'
import { formatWallClockTime } from '../model.ts'
import { ActButton } from './act-button.tsx'
import { noteCall } from './note-call-act.tsx'
import { PersonLink } from './person-link.tsx'
import { RecordLink } from './record-link.tsx'
import { askSubstitutes, withdrawSubstitutes } from './substitute-acts.tsx'
import { TaskGroup, TaskLine } from './task-list.tsx'
import { bookWalkInGuest, type TodayData } from './today-acts.ts'

const telephone = (phone: string) => `tel:${phone.replace(/[^+\d]/g, '')}`

/** Lessons whose requests to substitutes nobody has accepted yet. */
function SubstituteTasks({ substitutes = [] }: Pick<TodayData, 'substitutes'>) {
  const { t } = useTranslation('office')
  const language = useLanguage()
  const say = (at: string) => formatWallClockTime(at, language)
  return (
    <TaskGroup list="substitutes" weight="now">
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
            <ActButton
              data-edit
              aria-label={`${t('substitute.askAgain')}: ${about}`}
              begin={() => askSubstitutes([courseDateId], about)}
            >
              {t('substitute.askAgain')}
            </ActButton>
            <RecordLink kind="courses" id={courseId} tab="lessons" isAct>
              {t('today.assign')}
            </RecordLink>
            <ActButton
              aria-label={`${t('substitute.withdraw')}: ${about}`}
              begin={() => withdrawSubstitutes([courseDateId], about)}
            />
          </TaskLine>
        )
      })}
    </TaskGroup>
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
      <TaskGroup list="clashes" weight="now">
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
      <TaskGroup list="closures" weight="now">
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
      <TaskGroup list="absences" weight="now">
        {absences.map(({ absenceId, instructorEmail, name, from, to, at, lessons, courseDateIds }) => (
          <TaskLine key={absenceId} title={name} text={t('today.absence', { at: say(at), count: lessons })}>
            <ButtonLink
              look="text"
              data-edit
              href={`/office/basics?${new URLSearchParams({ absent: instructorEmail, from, to })}`}
            >
              {t('today.cover')}
            </ButtonLink>
            <ActButton
              aria-label={`${t('substitute.ask')}: ${name}`}
              begin={() => askSubstitutes(courseDateIds, name)}
            />
          </TaskLine>
        ))}
      </TaskGroup>
      <SubstituteTasks substitutes={substitutes} />
    </>
  )
}

/** Urgent tasks: people whom no message has reached, conflicts, walk-in guests, and messages that cannot be sent. */
export function UrgentTasks({ today }: { today: TodayData }) {
  const { t } = useTranslation('office')
  const language = useLanguage()
  const { call = [], guests = [], mails = [] } = today
  const say = (at: string) => formatWallClockTime(at, language)
  return (
    <>
      <TaskGroup list="call" weight="now">
        {call.map(({ letterId, webUserId, name, phone, about }) => (
          <TaskLine key={letterId} title={<PersonLink id={webUserId} name={name} />} text={about}>
            {phone && (
              <ActionLink href={telephone(phone)} data-edit>
                {phone}
              </ActionLink>
            )}
            <ActButton
              aria-label={`${t('today.noteCall')}: ${name}, ${about}`}
              begin={() => noteCall({ id: webUserId, name }, { letterId, about })}
            />
            <ButtonLink look="text" href="/office/letters">
              {t('today.letter')}
            </ButtonLink>
          </TaskLine>
        ))}
      </TaskGroup>
      <ConflictTasks today={today} />
      <TaskGroup list="guests" weight="now">
        {guests.map(({ guestId, name, courseId, courseName, at, freePlaces, accounts }) => (
          <TaskLine key={guestId} title={name} text={`${courseName}, ${say(at)}`}>
            {freePlaces > 0 && accounts.length === 1 && accounts[0] && (
              <Button
                look="text"
                data-edit
                onClick={() => accounts[0] && startAct(bookWalkInGuest(courseId, courseName, accounts[0]))}
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
      <TaskGroup list="mails" weight="now">
        {mails.map(({ webUserId, name, at, isGivenUp }, index) => (
          <TaskLine
            // biome-ignore lint/suspicious/noArrayIndexKey: two e-mails to a person may have the same minute
            key={index}
            title={webUserId ? <PersonLink id={webUserId} name={name} /> : t('today.nobody')}
            text={t(isGivenUp ? 'today.givenUp' : 'today.waiting', { at: say(at) })}
          />
        ))}
      </TaskGroup>
    </>
  )
}
