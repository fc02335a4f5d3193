import { useTranslation } from 'react-i18next'
import { nameInLanguage } from '#contract/words.ts'
import { useLanguage } from '#lib/use-language.ts'
import { useLocalTimeMs } from '#lib/use-now.ts'
import { type ActRequest, startAct } from '#office/frame/act-store.ts'
import { ActButton } from '#office/frame/components/act-button.tsx'
import { recordAttendanceList } from '#office/frame/components/attendance-acts.tsx'
import { OfficeTable } from '#office/frame/components/office-table.tsx'
import { RecordLink } from '#office/frame/components/record-link.tsx'
import { askSubstitutes, withdrawSubstitutes } from '#office/frame/components/substitute-acts.tsx'
import type { Column } from '#office/frame/components/table-cells.tsx'
import { weekdayOf } from '#office/frame/model.ts'
import { type CountedCourse, countLessons } from '#office/money/components/course-money-acts.tsx'
import { Button } from '#ui/button.tsx'
import { Text } from '#ui/layout.tsx'
import { styles } from '#ui/styles.ts'
import { formatFullDate } from '../model.ts'
import type { Instructor, Lesson, OfficeCourse, Room } from '../resource.ts'
import { cancelLessons, changeLesson, changeLessons, setLessonState } from './lesson-acts.tsx'
import type { EditableLesson } from './lesson-fields.tsx'

type Props = {
  read: OfficeCourse
  mayChange: boolean
  /** whether the user may record attendance */
  mayRecord: boolean
  /** whether the user may exclude lessons without recorded attendance from the settlement */
  mayBill: boolean
  rooms: readonly Room[]
  instructors: readonly Instructor[]
  /** builds the action that adds a lesson */
  toAdded: () => ActRequest<'add-lesson'>
}

export function CourseLessons({ read, mayChange, mayRecord, mayBill, rooms, instructors, toAdded }: Props) {
  const { t } = useTranslation(['office-programme', 'office-money'])
  const { lessons, version, course } = read
  const language = useLanguage()
  const choices = { rooms, instructors }
  const nowWallMs = useLocalTimeMs()
  const isHeld = ({ state, date, endTime }: Lesson) =>
    state === 'planned' && Date.parse(`${date}T${endTime}Z`) <= nowWallMs
  const isUnrecorded = (lesson: Lesson) => isHeld(lesson) && lesson.present === null
  const courseName = `${course.number} ${nameInLanguage(language, course)}`
  const toAct = (lesson: Lesson) => ({
    ...lesson,
    version,
    courseId: course.id,
    courseName,
  })
  const columns: Column<Lesson>[] = [
    {
      key: 'date',
      label: t('field.date'),
      isName: true,
      value: ({ date, startTime }) => `${date} ${startTime}`,
      show: lesson => <LessonTime lesson={lesson} />,
    },
    { key: 'room', label: t('field.venue'), value: ({ room }) => room, isWideOnly: true },
    { key: 'instructor', label: t('field.instructor'), value: ({ instructor }) => instructor, isWideOnly: true },
    { key: 'present', label: t('list.present'), value: ({ present }) => present ?? '', isWideOnly: true },
  ]
  return (
    <>
      {mayChange && (
        <p>
          <ActButton look="quiet" isPill begin={toAdded} />
        </p>
      )}
      <OfficeTable
        caption={t('tab.lessons', { count: lessons.length })}
        name="l"
        hasNoSearch
        columns={columns}
        rows={lessons}
        idOf={({ courseDateId }) => courseDateId}
        {...(mayChange && {
          selection: (chosen: Lesson[], clear: () => void) => (
            <>
              <ActButton look="primary" isPill begin={() => changeLessons(chosen.map(toAct), choices, clear)} />
              <ActButton
                look="quiet"
                isPill
                begin={() => ({
                  ...askSubstitutes(
                    chosen.flatMap(lesson =>
                      lesson.state === 'cancelled' || isHeld(lesson) ? [] : lesson.courseDateId,
                    ),
                    courseName,
                  ),
                  onDone: clear,
                })}
              />
              <Button
                look="danger"
                isPill
                onClick={() => {
                  const planned = chosen.filter(({ state }) => state === 'planned')
                  if (planned.length > 0) startAct(cancelLessons(planned.map(toAct), clear))
                }}
              >
                {t('act.cancel-lessons', { count: chosen.length })}
              </Button>
            </>
          ),
        })}
        {...((mayChange || mayBill || mayRecord) && {
          actions: (lesson: Lesson) => (
            <LessonActions
              lesson={toAct(lesson)}
              course={{ ...course, courseId: course.id }}
              {...choices}
              mayChange={mayChange}
              isRecordable={mayRecord && isHeld(lesson)}
              isExcludable={mayBill && !lesson.excluded && isUnrecorded(lesson)}
              isIncludable={mayBill && lesson.excluded}
            />
          ),
        })}
      />
    </>
  )
}

function LessonTime({ lesson }: { lesson: Lesson }) {
  const { t } = useTranslation(['office-programme', 'office-money', 'office'])
  const language = useLanguage()
  const { date, startTime, endTime, state, note, note2, excluded, asked, guests } = lesson
  return (
    <span className={state === 'cancelled' ? styles({ tone: 'muted' }) : undefined}>
      {t(`day.${weekdayOf(date)}`)} {formatFullDate(date)} {startTime}–{endTime}
      {state === 'cancelled' && (
        <Text as="b" tone="bad" block>
          {t('lesson.cancelled')}
        </Text>
      )}
      {asked > 0 && (
        <Text as="small" size="s" block>
          {t('office:substitute.asked', { count: asked })}
        </Text>
      )}
      {guests.map(({ webUserId, name }) => (
        <Text as="small" size="s" block key={webUserId}>
          <RecordLink kind="people" id={webUserId}>
            {t('office:attendance.guest', { name })}
          </RecordLink>
        </Text>
      ))}
      {excluded && (
        <Text as="small" size="s" block>
          {t('office-money:lesson.excluded')}
        </Text>
      )}
      {note && (
        <Text as="small" size="s" block>
          {language === 'en' && note2 ? note2 : note}
        </Text>
      )}
    </span>
  )
}

type ActionsProps = Pick<Props, 'mayChange' | 'rooms' | 'instructors'> & {
  lesson: Lesson & EditableLesson
  /** whether attendance can be recorded */
  isRecordable: boolean
  /** whether the lesson can be excluded from the settlement, or included again */
  isExcludable: boolean
  isIncludable: boolean
  course: CountedCourse
}

function LessonActions({
  lesson,
  mayChange,
  isRecordable,
  isExcludable,
  isIncludable,
  course,
  ...choices
}: ActionsProps) {
  const { t } = useTranslation(['office-programme', 'office-money', 'office'])
  const { courseDateId, date, startTime, courseName, state } = lesson
  const counted = [{ courseDateId, at: `${date}T${startTime}` }]
  const about = `${courseName}, ${formatFullDate(date)}, ${startTime}`
  return (
    <>
      {isRecordable && <ActButton begin={() => recordAttendanceList(courseDateId, about)} />}
      {isIncludable && (
        <ActButton begin={() => countLessons('include-lesson', course, counted)}>
          {t('office-money:lesson.includeOne')}
        </ActButton>
      )}
      {isExcludable && (
        <ActButton begin={() => countLessons('exclude-lesson', course, counted)}>
          {t('office-money:lesson.excludeOne')}
        </ActButton>
      )}
      {mayChange && (
        <>
          <ActButton begin={() => changeLesson(lesson, choices)}>{t('lesson.change')}</ActButton>
          {lesson.asked > 0 && <ActButton begin={() => withdrawSubstitutes([courseDateId], courseName)} />}
          <ActButton
            begin={() =>
              setLessonState(state === 'planned' ? 'cancel-lesson' : 'restore-lesson', lesson, choices.rooms)
            }
          >
            {t(state === 'planned' ? 'lesson.cancel' : 'lesson.restore')}
          </ActButton>
        </>
      )}
    </>
  )
}
