import { useTranslation } from 'react-i18next'
import { nameInLanguage } from '#contract/words.ts'
import { useLanguage } from '#lib/use-language.ts'
import { useLocalTimeMs } from '#lib/use-now.ts'
import { startAct } from '#office/frame/act-store.ts'
import { recordAttendanceList } from '#office/frame/components/attendance-acts.tsx'
import { OfficeTable } from '#office/frame/components/office-table.tsx'
import { askSubstitutes, withdrawSubstitutes } from '#office/frame/components/substitute-acts.tsx'
import type { Column } from '#office/frame/components/table-cells.tsx'
import { useCourseMoneyActs } from '#office/money/components/course-money-acts.tsx'
import { Button } from '#ui/button.tsx'
import { Text } from '#ui/layout.tsx'
import { styles } from '#ui/styles.ts'
import { formatFullDate, weekdayOf } from '../model.ts'
import type { Instructor, Lesson, OfficeCourse, Room } from '../resource.ts'
import { useLessonActs } from './lesson-acts.tsx'

type Props = {
  read: OfficeCourse
  mayChange: boolean
  /** whether the user may record attendance */
  mayRecord: boolean
  /** whether the user may exclude lessons without recorded attendance from the settlement */
  mayBill: boolean
  rooms: readonly Room[]
  instructors: readonly Instructor[]
  onAdd: () => void
}

export function CourseLessons({ read, mayChange, mayRecord, mayBill, rooms, instructors, onAdd }: Props) {
  const { t } = useTranslation(['office-programme', 'office-money'])
  const { t: sayOffice } = useTranslation('office')
  const { lessons, version, course } = read
  const language = useLanguage()
  const acts = useLessonActs({ rooms, instructors })
  const money = useCourseMoneyActs({ ...course, courseId: course.id })
  const nowWallMs = useLocalTimeMs()
  const toCounted = ({ courseDateId, date, startTime }: Lesson) => ({ courseDateId, at: `${date}T${startTime}` })
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
          <Button look="quiet" isPill onClick={onAdd}>
            {t('act.add-lesson')}
          </Button>
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
              <Button look="primary" isPill onClick={() => acts.changeMany(chosen.map(toAct), clear)}>
                {t('act.change-lessons', { count: chosen.length })}
              </Button>
              <Button
                look="quiet"
                isPill
                onClick={() =>
                  startAct({
                    ...askSubstitutes(
                      sayOffice,
                      chosen.flatMap(lesson =>
                        lesson.state === 'cancelled' || isHeld(lesson) ? [] : lesson.courseDateId,
                      ),
                      courseName,
                    ),
                    onDone: clear,
                  })
                }
              >
                {sayOffice('substitute.ask')}
              </Button>
              <Button
                look="danger"
                isPill
                onClick={() => acts.cancelMany(chosen.filter(({ state }) => state === 'planned').map(toAct), clear)}
              >
                {t('act.cancel-lessons', { count: chosen.length })}
              </Button>
            </>
          ),
        })}
        {...((mayChange || mayBill || mayRecord) && {
          actions: (lesson: Lesson) => (
            <LessonActions
              lesson={lesson}
              mayChange={mayChange}
              isRecordable={mayRecord && isHeld(lesson)}
              isExcludable={mayBill && !lesson.excluded && isUnrecorded(lesson)}
              isIncludable={mayBill && lesson.excluded}
              onRecord={() =>
                startAct(
                  recordAttendanceList(
                    sayOffice,
                    lesson.courseDateId,
                    `${toAct(lesson).courseName}, ${formatFullDate(lesson.date)}, ${lesson.startTime}`,
                  ),
                )
              }
              onCount={kind => money.setCounted(kind, [toCounted(lesson)])}
              onChange={() => acts.change(toAct(lesson))}
              onWithdraw={() => startAct(withdrawSubstitutes(sayOffice, [lesson.courseDateId], courseName))}
              onCancel={() => acts.cancel(toAct(lesson))}
              onRestore={() => acts.restore(toAct(lesson))}
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
  const { date, startTime, endTime, state, note, note2, excluded, asked } = lesson
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

type ActionsProps = {
  lesson: Lesson
  mayChange: boolean
  /** whether attendance can be recorded */
  isRecordable: boolean
  /** whether the lesson can be excluded from the settlement, or included again */
  isExcludable: boolean
  isIncludable: boolean
  onRecord: () => void
  onCount: (kind: 'exclude-lesson' | 'include-lesson') => void
  onChange: () => void
  onWithdraw: () => void
  onCancel: () => void
  onRestore: () => void
}

function LessonActions({
  lesson,
  mayChange,
  isRecordable,
  isExcludable,
  isIncludable,
  onRecord,
  onCount,
  onChange,
  onWithdraw,
  onCancel,
  onRestore,
}: ActionsProps) {
  const { t } = useTranslation(['office-programme', 'office-money', 'office'])
  return (
    <>
      {isRecordable && (
        <Button look="text" onClick={onRecord}>
          {t('office:attendance.record')}
        </Button>
      )}
      {isIncludable && (
        <Button look="text" onClick={() => onCount('include-lesson')}>
          {t('office-money:lesson.includeOne')}
        </Button>
      )}
      {isExcludable && (
        <Button look="text" onClick={() => onCount('exclude-lesson')}>
          {t('office-money:lesson.excludeOne')}
        </Button>
      )}
      {mayChange && (
        <>
          <Button look="text" onClick={onChange}>
            {t('lesson.change')}
          </Button>
          {lesson.asked > 0 && (
            <Button look="text" onClick={onWithdraw}>
              {t('office:substitute.withdraw')}
            </Button>
          )}
          <Button look="text" onClick={lesson.state === 'planned' ? onCancel : onRestore}>
            {t(lesson.state === 'planned' ? 'lesson.cancel' : 'lesson.restore')}
          </Button>
        </>
      )}
    </>
  )
}
