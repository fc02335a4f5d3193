import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { nameInLanguage } from '#contract/words.ts'
import { useSession } from '#features/session/store.ts'
import { useLanguage } from '#lib/use-language.ts'
import { ButtonLink } from '#ui/button.tsx'
import { formatWallClockTime, hasAnyRight } from '../model.ts'
import { ActButton } from './act-button.tsx'
import { recordAttendanceList, remindOfAttendance } from './attendance-acts.tsx'
import { RecordLink } from './record-link.tsx'
import { TaskGroup, TaskLine } from './task-list.tsx'
import { cancelPastLesson, confirmOrCancelCourse, type TodayData, useMayChangeProgramme } from './today-acts.ts'

/** Courses to confirm or cancel. */
function DecisionTasks({ decisions = [] }: Pick<TodayData, 'decisions'>) {
  const { t } = useTranslation('office')
  const language = useLanguage()
  return (
    <TaskGroup list="decisions">
      {decisions.map(course => {
        const { courseId, number, booked, minParticipants, decideOn } = course
        const about = `${number} ${nameInLanguage(language, course)}`
        const [day] = formatWallClockTime(decideOn, language).split(',')
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
              <ActButton
                key={kind}
                {...(kind === 'confirm-course' && { 'data-edit': true })}
                aria-label={`${t(`today.${kind}`)}: ${about}`}
                begin={() => confirmOrCancelCourse(course, about, kind)}
              />
            ))}
          </TaskLine>
        )
      })}
    </TaskGroup>
  )
}

/** Past lessons without recorded attendance. */
function UnrecordedTasks({ unrecorded = [], totals }: Pick<TodayData, 'unrecorded' | 'totals'>) {
  const { t } = useTranslation('office')
  const language = useLanguage()
  const mayChange = useMayChangeProgramme()
  const mayRecord = useSession(state => hasAnyRight(state.session?.rights ?? [], ['bookings']))
  const say = (at: string) => formatWallClockTime(at, language)
  return (
    <TaskGroup
      list="unrecorded"
      action={
        unrecorded.length > 1 &&
        unrecorded.length === totals.unrecorded && (
          <ActButton
            begin={() =>
              remindOfAttendance(
                unrecorded.map(({ courseDateId }) => courseDateId),
                t('today.lessonCount', { count: unrecorded.length }),
              )
            }
          >
            {t('attendance.remindAll')}
          </ActButton>
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
              <ActButton
                data-edit
                aria-label={`${t('attendance.record')}: ${about}`}
                begin={() => recordAttendanceList(lesson.courseDateId, about)}
              />
            )}
            <ActButton
              aria-label={`${t('attendance.remind')}: ${about}`}
              begin={() => remindOfAttendance([lesson.courseDateId], about)}
            />
            {mayChange && (
              <ActButton aria-label={`${t('today.fellOut')}: ${about}`} begin={() => cancelPastLesson(lesson, about)} />
            )}
          </TaskLine>
        )
      })}
    </TaskGroup>
  )
}

/** Instructors whose licence ends soon. */
function LicenceTasks({ licences = [], date }: Pick<TodayData, 'licences' | 'date'>) {
  const { t } = useTranslation('office')
  const language = useLanguage()
  return (
    <TaskGroup list="licences">
      {licences.map(({ instructorEmail, name, licence, until, lessons, uncovered }) => {
        const [day] = formatWallClockTime(until, language).split(',')
        return (
          <TaskLine
            key={instructorEmail}
            title={
              <Link href={`/office/basics?${new URLSearchParams({ instructorq: instructorEmail })}#basics-instructor`}>
                {name}
              </Link>
            }
            text={[
              licence,
              t(until < date ? 'today.licenceEnded' : 'today.licenceUntil', { day }),
              uncovered > 0 ? t('today.uncovered', { count: uncovered }) : t('today.lessonCount', { count: lessons }),
            ]
              .filter(Boolean)
              .join(' · ')}
          >
            <ButtonLink
              look="text"
              data-edit
              aria-label={`${t('today.enterLicence')}: ${name}`}
              href={`/office/basics?${new URLSearchParams({ licence: instructorEmail })}`}
            >
              {t('today.enterLicence')}
            </ButtonLink>
          </TaskLine>
        )
      })}
    </TaskGroup>
  )
}

/** Tasks for the next few days, and upcoming starts of booking. */
export function ScheduleTasks({ today }: { today: TodayData }) {
  const { t } = useTranslation('office')
  const language = useLanguage()
  const { openings = [] } = today
  return (
    <>
      <DecisionTasks {...today} />
      <LicenceTasks {...today} />
      <UnrecordedTasks {...today} />
      <TaskGroup list="openings">
        {openings.map(({ seasonId, at, courses, ...season }) => (
          <TaskLine
            key={`${seasonId} ${at}`}
            title={<Link href={`/office/season?season=${seasonId}`}>{nameInLanguage(language, season)}</Link>}
            text={`${formatWallClockTime(at, language)} · ${t('today.courses', { count: courses })}`}
          />
        ))}
      </TaskGroup>
    </>
  )
}
