import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { nameInLanguage } from '#contract/words.ts'
import { useSession } from '#features/session/store.ts'
import { useLanguage } from '#lib/use-language.ts'
import { Button } from '#ui/button.tsx'
import { startAct } from '../act-store.ts'
import { formatWallClockTime, hasAnyRight } from '../model.ts'
import { recordAttendanceList, remindOfAttendance } from './attendance-acts.tsx'
import { RecordLink } from './record-link.tsx'
import { TaskGroup, TaskLine } from './task-list.tsx'
import { cancelPastLesson, confirmOrCancelCourse, type TodayData, useMayChangeProgramme } from './today-acts.ts'

/**
 * Tasks for the next few days: courses to confirm or cancel, missing attendance records, and upcoming starts of
 * booking.
 */
export function ScheduleTasks({
  today: { decisions = [], unrecorded = [], openings = [], totals },
}: {
  today: TodayData
}) {
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
                  onClick={() => startAct(confirmOrCancelCourse(course, about, kind))}
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
                  onClick={() => startAct(recordAttendanceList(lesson.courseDateId, about))}
                >
                  {t('attendance.record')}
                </Button>
              )}
              <Button
                look="text"
                aria-label={`${t('attendance.remind')}: ${about}`}
                onClick={() => startAct(remindOfAttendance([lesson.courseDateId], about))}
              >
                {t('attendance.remind')}
              </Button>
              {mayChange && (
                <Button
                  look="text"
                  aria-label={`${t('today.fellOut')}: ${about}`}
                  onClick={() => startAct(cancelPastLesson(lesson, about))}
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
