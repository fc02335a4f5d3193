import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { api } from '#lib/api.ts'
import { type ActDraft, type ActRequest, type LabelledValue, startAct } from '#office/frame/act-store.ts'
import { formatFullDate, formatShortDay } from '../model.ts'
import type { Instructor, Room } from '../resource.ts'
import { type EditableLesson, LessonFields } from './lesson-fields.tsx'
import { BulkLessonFields, reversedLessonChange } from './many-lesson-fields.tsx'

const versionOf = ({ version }: EditableLesson) => (version === undefined ? {} : { version })

type Choices = { rooms: readonly Room[]; instructors: readonly Instructor[] }

/** Describes a lesson's values, which are shown after a version conflict. */
const lessonFactsOf = (
  t: TFunction<'office-programme'>,
  lesson: EditableLesson,
  rooms: readonly Room[],
): LabelledValue[] => [
  {
    label: t('field.date'),
    value: formatFullDate(lesson.date),
    name: 'date',
    say: day => formatFullDate(String(day)),
  },
  { label: t('field.startTime'), value: lesson.startTime, name: 'startTime' },
  { label: t('field.endTime'), value: lesson.endTime, name: 'endTime' },
  {
    label: t('field.room'),
    value: lesson.room,
    name: 'roomId',
    say: id => rooms.find(({ roomId }) => roomId === id)?.name ?? t('lesson.asCourse'),
  },
  {
    label: t('field.instructorOfLesson'),
    value: lesson.instructorEmail ?? '',
    name: 'instructorEmail',
    say: email => String(email || t('lesson.asCourse')),
  },
  { label: t('list.state'), value: t(lesson.state === 'planned' ? 'state.open' : 'lesson.cancelled') },
]

type LessonChanges = ActDraft<'change-lessons'>['lessons']

/** Prepares the action that undoes changes to lessons; null if there were none. */
export const undoLessonChanges = (
  t: TFunction<'office-programme'>,
  lessons: LessonChanges,
  about: string,
): ActRequest<'change-lessons'> | null =>
  lessons.length === 0
    ? null
    : { act: { kind: 'change-lessons', quiet: false, lessons }, title: t('act.undo-lessons'), about }

/** Prepares the action that reverses changes to several lessons. @param lessons their state before the changes */
const toReversed = (t: TFunction<'office-programme'>, lessons: readonly EditableLesson[], changes: LessonChanges) =>
  undoLessonChanges(
    t,
    changes.flatMap(one => {
      const before = lessons.find(({ courseDateId }) => courseDateId === one.courseDateId)
      return before ? [reversedLessonChange(one, before)] : []
    }),
    lessons[0]?.courseName ?? '',
  )

/** Actions on a single lesson, each of which is previewed in the action dialog. */
export function useLessonActs({ rooms, instructors }: Choices) {
  const { t } = useTranslation('office-programme')
  const aboutOf = ({ courseName, date, startTime }: EditableLesson) =>
    `${courseName}, ${formatFullDate(date)}, ${startTime}`
  const seen = <Kind extends 'cancel-lesson' | 'restore-lesson' | 'change-lesson'>(
    lesson: EditableLesson,
    begin: (lesson: EditableLesson) => Omit<ActRequest<Kind>, 'facts' | 'again'>,
  ): ActRequest<Kind> => ({
    ...begin(lesson),
    facts: lessonFactsOf(t, lesson, rooms),
    again: async () => {
      const { lessons, version } = await api.getOfficeCourse({ params: { id: lesson.courseId } })
      const now = lessons.find(({ courseDateId }) => courseDateId === lesson.courseDateId)
      if (!now) throw new Error('the lesson no longer exists')
      return seen({ ...lesson, ...now, version }, begin)
    },
  })
  const noted = (read: EditableLesson, kind: 'cancel-lesson' | 'restore-lesson'): ActRequest<typeof kind> =>
    seen<typeof kind>(read, lesson => ({
      act: { kind, courseDateId: lesson.courseDateId, quiet: false, ...versionOf(lesson) },
      title: t(`act.${kind}`),
      about: aboutOf(lesson),
      form: fields => <LessonFields {...fields} kind="note" />,
      undo: () =>
        noted({ ...lesson, version: undefined }, kind === 'cancel-lesson' ? 'restore-lesson' : 'cancel-lesson'),
    }))
  /** opens the form with preset changes, for example after dragging */
  const changed = (read: EditableLesson, to: Partial<ActDraft<'change-lesson'>> = {}): ActRequest<'change-lesson'> =>
    seen<'change-lesson'>(read, lesson => {
      const { courseDateId, date, startTime, endTime, roomId, instructorEmail } = lesson
      return {
        act: { kind: 'change-lesson', courseDateId, quiet: false, ...versionOf(lesson), ...to },
        title: t('act.change-lesson'),
        about: aboutOf(lesson),
        form: fields => (
          <LessonFields {...fields} kind="change" lesson={lesson} rooms={rooms} instructors={instructors} />
        ),
        missing: act =>
          Object.keys(act).some(name => ['date', 'startTime', 'endTime', 'roomId', 'instructorEmail'].includes(name))
            ? []
            : [t('office:act.aChange')],
        undo: () => changed({ ...lesson, version: undefined }, { date, startTime, endTime, roomId, instructorEmail }),
      }
    })
  const many = (
    lessons: readonly EditableLesson[],
    begin: Pick<ActRequest<'change-lessons'>, 'title' | 'form' | 'missing' | 'isWide' | 'onDone'> & {
      changes: LessonChanges
    },
  ) => {
    const { changes, ...request } = begin
    const [first] = lessons
    if (!first) return
    startAct<'change-lessons'>({
      act: { kind: 'change-lessons', lessons: changes, quiet: false },
      about: `${first.courseName}, ${lessons.map(({ date }) => formatShortDay(date)).join(' ')}`,
      ...request,
      undo: (_, act) => toReversed(t, lessons, act.lessons),
    })
  }
  const cancelMany = (lessons: readonly EditableLesson[], onDone: () => void) =>
    many(lessons, {
      changes: lessons.map(({ courseDateId }) => ({ courseDateId, cancel: true as const })),
      title: t('act.cancel-lessons', { count: lessons.length }),
      form: fields => <LessonFields {...fields} kind="note" />,
      onDone,
    })
  const changeMany = (lessons: readonly EditableLesson[], onDone: () => void) =>
    many(lessons, {
      changes: lessons.map(({ courseDateId }) => ({ courseDateId })),
      title: t('act.change-lessons', { count: lessons.length }),
      isWide: true,
      missing: act => ((act.lessons ?? []).some(one => Object.keys(one).length > 1) ? [] : [t('office:act.aChange')]),
      form: fields => <BulkLessonFields {...fields} read={lessons} rooms={rooms} instructors={instructors} />,
      onDone,
    })
  return {
    changeMany,
    cancelMany,
    cancel: (lesson: EditableLesson) => startAct(noted(lesson, 'cancel-lesson')),
    restore: (lesson: EditableLesson) => startAct(noted(lesson, 'restore-lesson')),
    change: (lesson: EditableLesson, to?: Partial<ActDraft<'change-lesson'>>) => startAct(changed(lesson, to)),
  }
}
