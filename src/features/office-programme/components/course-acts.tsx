import { useTranslation } from 'react-i18next'
import type { FieldSpec } from '#contract/fields.ts'
import { nameIn } from '#contract/words.ts'
import { type ActRequest, type Draft, startAct } from '#features/office/act-store.ts'
import { ChargeFields, isChargeReady } from '#features/office/components/charge-fields.tsx'
import { fetchList } from '#features/office/list-resource.ts'
import { api } from '#lib/api.ts'
import { useLanguage } from '#lib/use-language.ts'
import { ALL_COURSE_FIELDS } from '../model.ts'
import type { OfficeCourse, Person, Room } from '../resource.ts'
import { ActFields, factsOf, type Options } from './act-fields.tsx'
import { BookFields } from './book-fields.tsx'
import { LessonFields } from './lesson-fields.tsx'
import { isCourseChange, ManyCourseFields } from './many-course-fields.tsx'
import { MoveFields } from './move-fields.tsx'
import { CourseFields } from './season-acts.tsx'

type NamedCourse = { id: number; version: number; number: string; name: string; name2: string }
/** Course fields shared by the list and the course page. */
export type SeenCourse = NamedCourse & {
  seasonId: number
  venue: string
  confirmed: boolean
  cancelled: boolean
}
type CourseAct = 'confirm-course' | 'unconfirm-course' | 'cancel-course' | 'restore-course'

const NOTE: FieldSpec[] = [{ name: 'note', kind: 'text', isPair: true }]
const MESSAGE: FieldSpec[] = [
  { name: 'title', kind: 'line', isPair: true, isRequired: true },
  { name: 'text', kind: 'text', isPair: true },
]
const OPPOSITE = {
  'confirm-course': 'unconfirm-course',
  'unconfirm-course': 'confirm-course',
  'cancel-course': 'restore-course',
  'restore-course': 'cancel-course',
} as const

export function useCourseActs() {
  const { t } = useTranslation('office-programme')
  const language = useLanguage()
  const say = (course: NamedCourse) => `${course.number} ${nameIn(language, course)}`

  const factOf = (course: SeenCourse) => {
    const { venue, cancelled, confirmed } = course
    const state = t(cancelled ? 'state.cancelled' : confirmed ? 'state.confirmed' : 'state.open')
    return { label: say(course), value: [state, venue].filter(Boolean).join(' · ') }
  }

  const toState = (
    kind: CourseAct,
    courses: readonly SeenCourse[],
    onDone?: () => void,
  ): ActRequest<CourseAct> | null => {
    const drafts = courses.map(({ id, version }): Draft<CourseAct> => ({ kind, courseId: id, version, quiet: false }))
    const [act, ...others] = drafts
    const [first] = courses
    if (!act || !first) return null
    const isNoted = kind === 'cancel-course' || kind === 'restore-course'
    const title = t(`act.${kind}`, { count: courses.length })
    return {
      act,
      others,
      title,
      about: courses.length === 1 ? say(first) : t('course.count', { count: courses.length }),
      ...(isNoted && { form: fields => <ActFields {...fields} fields={NOTE} /> }),
      ...(onDone && { onDone }),
      facts: courses.map(factOf),
      again: async () => {
        const now = await fetchList('listOfficeCourses', { seasonId: first.seasonId })
        const request = toState(
          kind,
          courses.map(course => now.find(({ id }) => id === course.id) ?? course),
          onDone,
        )
        return request ?? Promise.reject(new Error('no course is left to confirm or cancel'))
      },
      undo: () => {
        const [one, ...more] = drafts.map(
          ({ courseId }): Draft<CourseAct> => ({ kind: OPPOSITE[kind], courseId, quiet: false }),
        )
        const back = t(`act.${OPPOSITE[kind]}`, { count: courses.length })
        return one ? { act: one, others: more, title: back, about: say(first) } : null
      },
    }
  }
  /** Confirms several courses in one act, or withdraws it. */
  const toConfirmed = (
    courses: readonly SeenCourse[],
    confirmed: boolean,
    onDone?: () => void,
  ): ActRequest<'change-courses'> => ({
    act: { kind: 'change-courses', courseIds: courses.map(({ id }) => id), confirmed, quiet: false },
    title: t(`act.${confirmed ? 'confirm' : 'unconfirm'}-course`, { count: courses.length }),
    about: t('course.count', { count: courses.length }),
    ...(onDone && { onDone }),
    undo: () => toConfirmed(courses, !confirmed),
  })
  /** The same price, places, opening or room for several courses. @param rooms to choose from */
  const changeMany = (courses: readonly SeenCourse[], rooms: readonly Room[], onDone: () => void) =>
    startAct<'change-courses'>({
      act: { kind: 'change-courses', courseIds: courses.map(({ id }) => id), quiet: false },
      title: t('act.change-courses', { count: courses.length }),
      about: t('course.count', { count: courses.length }),
      isWide: true,
      missing: act => (isCourseChange(act) ? [] : [t('office:act.aChange')]),
      form: fields => <ManyCourseFields {...fields} rooms={rooms} />,
      onDone,
    })
  const setState = (kind: CourseAct, courses: readonly SeenCourse[], onDone?: () => void) => {
    const isConfirmed = kind === 'confirm-course'
    if (courses.length > 1 && (isConfirmed || kind === 'unconfirm-course'))
      return startAct<'change-courses'>(toConfirmed(courses, isConfirmed, onDone))
    const request = toState(kind, courses, onDone)
    return request ? startAct<CourseAct>(request) : undefined
  }

  const toChanged = ({ columns, version, course }: OfficeCourse, options: Options): ActRequest<'change-course'> => ({
    act: { kind: 'change-course', courseId: course.id, version, quiet: false },
    title: t('act.change-course'),
    about: say({ ...course, version }),
    missing: act => (Object.keys(act).length > 4 ? [] : [t('office:act.aChange')]),
    isWide: true,
    form: fields => <CourseFields {...fields} options={options} stored={columns} courseId={course.id} />,
    facts: factsOf(t, ALL_COURSE_FIELDS, columns, options),
    again: async () => toChanged(await api.getOfficeCourse({ params: { id: course.id } }), options),
  })
  const change = (read: OfficeCourse, options: Options) => startAct<'change-course'>(toChanged(read, options))

  /** Act on a participant, with the current data of the course. */
  const seen = <Kind extends 'book' | 'cancel-booking' | 'move-booking' | 'add-lesson' | 'remove'>(
    course: SeenCourse,
    begin: (course: SeenCourse) => Omit<ActRequest<Kind>, 'facts' | 'again'>,
  ): ActRequest<Kind> => ({
    ...begin(course),
    facts: [factOf(course)],
    again: async () => {
      const { course: now, version } = await api.getOfficeCourse({ params: { id: course.id } })
      return seen({ ...now, version }, begin)
    },
  })

  const addLesson = (read: SeenCourse, startTime: string, endTime: string) =>
    startAct(
      seen<'add-lesson'>(read, course => ({
        act: {
          kind: 'add-lesson',
          courseId: course.id,
          version: course.version,
          startTime,
          endTime,
          quiet: false,
        },
        title: t('act.add-lesson'),
        about: say(course),
        missing: ({ date }) => (date ? [] : [t('field.date')]),
        form: fields => <LessonFields {...fields} kind="add" />,
      })),
    )

  const book = (read: SeenCourse) =>
    startAct(
      seen<'book'>(read, course => ({
        act: { kind: 'book', courseId: course.id, version: course.version },
        title: t('act.book'),
        about: say(course),
        missing: ({ webUserId }) => (webUserId === undefined ? [t('book.search')] : []),
        form: fields => <BookFields {...fields} />,
      })),
    )

  const cancelBooking = (read: SeenCourse, person: Person, isWaiting: boolean) =>
    startAct(
      seen<'cancel-booking'>(read, course => ({
        act: {
          kind: 'cancel-booking',
          courseId: course.id,
          webUserId: person.webUserId,
          charge: 'none',
          version: course.version,
        },
        title: t('act.cancel-booking'),
        about: `${person.name}, ${say(course)}`,
        ...(!isWaiting && {
          form: fields => <ChargeFields {...fields} terms={person} />,
          missing: act => (isChargeReady(act) ? [] : [t('office:charge.amount')]),
        }),
      })),
    )

  const moveBooking = (read: SeenCourse, person: Person) =>
    startAct(
      seen<'move-booking'>(read, course => ({
        act: {
          kind: 'move-booking',
          fromCourseId: course.id,
          webUserId: person.webUserId,
          version: course.version,
        },
        title: t('act.move-booking'),
        about: `${person.name}, ${say(course)}`,
        missing: ({ toCourseId }) => (toCourseId === undefined ? [t('move.to')] : []),
        form: fields => <MoveFields {...fields} seasonId={course.seasonId} fromCourseId={course.id} />,
        undo: (_, { toCourseId }) => ({
          act: { kind: 'move-booking', fromCourseId: toCourseId, toCourseId: course.id, webUserId: person.webUserId },
          title: t('act.move-booking'),
          about: `${person.name}, ${say(course)}`,
        }),
      })),
    )

  /** Several people of a course, one after the other. */
  const moveMany = (course: SeenCourse, people: readonly Person[], onDone: () => void) => {
    const [act, ...others] = people.map(({ webUserId }) => ({
      kind: 'move-booking' as const,
      fromCourseId: course.id,
      webUserId,
    }))
    if (!act) return
    startAct<'move-booking'>({
      act,
      others,
      title: t('people.moveMany', { count: people.length }),
      about: say(course),
      missing: ({ toCourseId }) => (toCourseId === undefined ? [t('move.to')] : []),
      form: fields => (
        <MoveFields {...fields} seasonId={course.seasonId} fromCourseId={course.id} places={people.length} />
      ),
      onDone,
    })
  }

  const messageMany = (course: NamedCourse, people: readonly Person[], onDone: () => void) => {
    const [act, ...others] = people.map(({ webUserId }) => ({
      kind: 'send-message' as const,
      to: 'person' as const,
      id: webUserId,
    }))
    if (!act) return
    startAct<'send-message'>({
      act: { ...act, mail: true, title: '' },
      others,
      title: t('people.messageMany', { count: people.length }),
      about: say(course),
      missing: ({ title }) => (title?.trim() ? [] : [t('field.title')]),
      form: fields => <ActFields {...fields} fields={[...MESSAGE, { name: 'mail', kind: 'flag' }]} />,
      onDone,
    })
  }

  const sendMessage = (course: NamedCourse, to: 'course' | 'waiting') =>
    startAct<'send-message'>({
      act: { kind: 'send-message', to, id: course.id, mail: true, title: '' },
      title: t('act.send-message'),
      about: `${t(`to.${to}`)}: ${say(course)}`,
      missing: ({ title }) => (title?.trim() ? [] : [t('field.title')]),
      form: fields => <ActFields {...fields} fields={[...MESSAGE, { name: 'mail', kind: 'flag' }]} />,
    })

  const remove = (read: SeenCourse) =>
    startAct(
      seen<'remove'>(read, course => ({
        act: { kind: 'remove', what: 'course', id: course.id, version: course.version },
        title: t('act.remove-course'),
        about: say(course),
      })),
    )

  return {
    setState,
    change,
    changeMany,
    moveMany,
    messageMany,
    addLesson,
    book,
    cancelBooking,
    moveBooking,
    sendMessage,
    remove,
  }
}
