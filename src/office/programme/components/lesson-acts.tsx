import i18next from 'i18next'
import { api } from '#lib/api.ts'
import { type ActDraft, type ActRequest, type LabelledValue, requestsOn } from '#office/frame/act-store.ts'
import { formatFullDate, formatShortDay } from '../model.ts'
import type { Instructor, Room } from '../resource.ts'
import { type EditableLesson, LessonFields } from './lesson-fields.tsx'
import { BulkLessonFields, reversedLessonChange } from './many-lesson-fields.tsx'

const t = i18next.getFixedT(null, 'office-programme')

const versionOf = ({ version }: EditableLesson) => (version === undefined ? {} : { version })

type Choices = { rooms: readonly Room[]; instructors: readonly Instructor[] }

/** Describes a lesson's values, which are shown after a version conflict. */
const lessonFactsOf = (lesson: EditableLesson, rooms: readonly Room[] = []): LabelledValue[] => [
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
export const undoLessonChanges = (lessons: LessonChanges, about: string): ActRequest<'change-lessons'> | null =>
  lessons.length === 0
    ? null
    : { act: { kind: 'change-lessons', quiet: false, lessons }, title: t('act.undo-lessons'), about }

/** Prepares the action that reverses changes to several lessons. @param lessons their state before the changes */
const toReversed = (lessons: readonly EditableLesson[], changes: LessonChanges) =>
  undoLessonChanges(
    changes.flatMap(one => {
      const before = lessons.find(({ courseDateId }) => courseDateId === one.courseDateId)
      return before ? [reversedLessonChange(one, before)] : []
    }),
    lessons[0]?.courseName ?? '',
  )

const aboutOf = ({ courseName, date, startTime }: EditableLesson) =>
  `${courseName}, ${formatFullDate(date)}, ${startTime}`

const requestsOnLesson = (rooms?: readonly Room[]) =>
  requestsOn(
    (lesson: EditableLesson) => lessonFactsOf(lesson, rooms),
    async lesson => {
      const { lessons, version } = await api.getOfficeCourse({ params: { id: lesson.courseId } })
      const now = lessons.find(({ courseDateId }) => courseDateId === lesson.courseDateId)
      if (!now) throw new Error('the lesson no longer exists')
      return { ...lesson, ...now, version }
    },
  )

const OPPOSITE = { 'cancel-lesson': 'restore-lesson', 'restore-lesson': 'cancel-lesson' } as const

/** Cancels a lesson, or restores a cancelled one. */
export const setLessonState = (
  kind: keyof typeof OPPOSITE,
  read: EditableLesson,
  rooms: readonly Room[],
): ActRequest<typeof kind> =>
  requestsOnLesson(rooms)<typeof kind>(read, lesson => ({
    act: { kind, courseDateId: lesson.courseDateId, quiet: false, ...versionOf(lesson) },
    title: t(`act.${kind}`),
    about: aboutOf(lesson),
    form: fields => <LessonFields {...fields} kind="note" />,
    undo: () => setLessonState(OPPOSITE[kind], { ...lesson, version: undefined }, rooms),
  }))

/** @param to preset changes, for example after dragging */
export const changeLesson = (
  read: EditableLesson,
  choices: Choices,
  to: Partial<ActDraft<'change-lesson'>> = {},
): ActRequest<'change-lesson'> =>
  requestsOnLesson(choices.rooms)<'change-lesson'>(read, lesson => {
    const { courseDateId, date, startTime, endTime, roomId, instructorEmail } = lesson
    const before = { date, startTime, endTime, roomId, instructorEmail }
    return {
      act: { kind: 'change-lesson', courseDateId, quiet: false, ...versionOf(lesson), ...to },
      title: t('act.change-lesson'),
      about: aboutOf(lesson),
      form: fields => <LessonFields {...fields} kind="change" lesson={lesson} {...choices} />,
      missing: act => (Object.keys(act).some(name => name in before) ? [] : [t('office:act.aChange')]),
      undo: () => changeLesson({ ...lesson, version: undefined }, choices, before),
    }
  })

const requestOnLessons = (lessons: readonly EditableLesson[], changes: LessonChanges) => ({
  act: { kind: 'change-lessons' as const, lessons: changes, quiet: false },
  about: [lessons[0]?.courseName, lessons.map(({ date }) => formatShortDay(date)).join(' ')].join(', '),
  undo: (_: unknown, act: { lessons: LessonChanges }) => toReversed(lessons, act.lessons),
})

export const cancelLessons = (
  lessons: readonly EditableLesson[],
  onDone: () => void,
): ActRequest<'change-lessons'> => ({
  ...requestOnLessons(
    lessons,
    lessons.map(({ courseDateId }) => ({ courseDateId, cancel: true as const })),
  ),
  title: t('act.cancel-lessons', { count: lessons.length }),
  form: fields => <LessonFields {...fields} kind="note" />,
  onDone,
})

export const changeLessons = (
  lessons: readonly EditableLesson[],
  choices: Choices,
  onDone: () => void,
): ActRequest<'change-lessons'> => ({
  ...requestOnLessons(
    lessons,
    lessons.map(({ courseDateId }) => ({ courseDateId })),
  ),
  title: t('act.change-lessons', { count: lessons.length }),
  isWide: true,
  missing: act => ((act.lessons ?? []).some(one => Object.keys(one).length > 1) ? [] : [t('office:act.aChange')]),
  form: fields => <BulkLessonFields {...fields} read={lessons} {...choices} />,
  onDone,
})
