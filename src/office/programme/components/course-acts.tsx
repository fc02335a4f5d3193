import { useTranslation } from 'react-i18next'
import type { FormFieldSpec } from '#contract/tables/fields.ts'
import { nameInLanguage } from '#contract/words.ts'
import { api } from '#lib/api.ts'
import { useLanguage } from '#lib/use-language.ts'
import { type ActDraft, type ActRequest, type InitialActDraft, startAct } from '#office/frame/act-store.ts'
import { fetchList } from '#office/frame/list-resource.ts'
import { ChoiceField } from '#ui/choice-field.tsx'
import { ALL_COURSE_FIELDS } from '../model.ts'
import type { OfficeCourse, Room } from '../resource.ts'
import { ActFields, labelFieldValues, type SelectOptionsByKind } from './act-fields.tsx'
import { LessonFields } from './lesson-fields.tsx'
import { CourseFormFields } from './season-acts.tsx'

export type NamedCourse = { id: number; version: number; number: string; name: string; name2: string }
/** The fields of a course that both the course list and the course page provide. */
export type CourseSummary = NamedCourse & {
  seasonId: number
  venue: string
  confirmed: boolean
  cancelled: boolean
}
type CourseAct = 'confirm-course' | 'unconfirm-course' | 'cancel-course' | 'restore-course'

const NOTE: FormFieldSpec[] = [{ name: 'note', kind: 'text', isPair: true }]
const OPPOSITE = {
  'confirm-course': 'unconfirm-course',
  'unconfirm-course': 'confirm-course',
  'cancel-course': 'restore-course',
  'restore-course': 'cancel-course',
} as const

/** Returns functions that format a course for action dialogs and that build the requests of its actions. */
export function useCourseActRequests() {
  const { t } = useTranslation('office-programme')
  const language = useLanguage()
  const say = (course: NamedCourse) => `${course.number} ${nameInLanguage(language, course)}`

  const factOf = (course: CourseSummary) => {
    const { venue, cancelled, confirmed } = course
    const state = t(cancelled ? 'state.cancelled' : confirmed ? 'state.confirmed' : 'state.open')
    return { label: say(course), value: [state, venue].filter(Boolean).join(' · ') }
  }

  /** Builds the request for an action on a course. After a version conflict, it is rebuilt from current data. */
  const seen = <Kind extends 'book' | 'cancel-booking' | 'move-booking' | 'add-lesson' | 'remove'>(
    course: CourseSummary,
    begin: (course: CourseSummary) => Omit<ActRequest<Kind>, 'facts' | 'again'>,
  ): ActRequest<Kind> => ({
    ...begin(course),
    facts: [factOf(course)],
    again: async () => {
      const { course: now, version } = await api.getOfficeCourse({ params: { id: course.id } })
      return seen({ ...now, version }, begin)
    },
  })
  return { say, factOf, seen }
}

/** Actions that confirm, cancel or restore courses. */
export function useCourseStateActs() {
  const { t } = useTranslation('office-programme')
  const { say, factOf } = useCourseActRequests()
  const toState = (
    kind: CourseAct,
    courses: readonly CourseSummary[],
    onDone?: () => void,
  ): ActRequest<CourseAct> | null => {
    const drafts = courses.map(
      ({ id, version }): ActDraft<CourseAct> => ({ kind, courseId: id, version, quiet: false }),
    )
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
          ({ courseId }): ActDraft<CourseAct> => ({ kind: OPPOSITE[kind], courseId, quiet: false }),
        )
        const back = t(`act.${OPPOSITE[kind]}`, { count: courses.length })
        return one ? { act: one, others: more, title: back, about: say(first) } : null
      },
    }
  }
  /** Confirms several courses in one action, or withdraws their confirmation. */
  const toConfirmed = (
    courses: readonly CourseSummary[],
    confirmed: boolean,
    onDone?: () => void,
  ): ActRequest<'change-courses'> => ({
    act: { kind: 'change-courses', courseIds: courses.map(({ id }) => id), confirmed, quiet: false },
    title: t(`act.${confirmed ? 'confirm' : 'unconfirm'}-course`, { count: courses.length }),
    about: t('course.count', { count: courses.length }),
    ...(onDone && { onDone }),
    undo: () => toConfirmed(courses, !confirmed),
  })
  const setState = (kind: CourseAct, courses: readonly CourseSummary[], onDone?: () => void) => {
    const isConfirmed = kind === 'confirm-course'
    if (courses.length > 1 && (isConfirmed || kind === 'unconfirm-course'))
      return startAct<'change-courses'>(toConfirmed(courses, isConfirmed, onDone))
    const request = toState(kind, courses, onDone)
    return request ? startAct<CourseAct>(request) : undefined
  }
  return { setState }
}

/** Actions that change the fields or lessons of courses. */
export function useCourseActs() {
  const { t } = useTranslation('office-programme')
  const { say, seen } = useCourseActRequests()
  /**
   * Sets the same prices, number of seats, start of booking or room for several courses.
   * @param rooms rooms to choose from
   */
  const changeMany = (courses: readonly CourseSummary[], rooms: readonly Room[], onDone: () => void) =>
    startAct<'change-courses'>({
      act: { kind: 'change-courses', courseIds: courses.map(({ id }) => id), quiet: false },
      title: t('act.change-courses', { count: courses.length }),
      about: t('course.count', { count: courses.length }),
      isWide: true,
      missing: act => (hasCourseChanges(act) ? [] : [t('office:act.aChange')]),
      form: fields => <BulkCourseFields {...fields} rooms={rooms} />,
      onDone,
    })
  const toChanged = (
    { columns, version, course }: OfficeCourse,
    options: SelectOptionsByKind,
  ): ActRequest<'change-course'> => ({
    act: { kind: 'change-course', courseId: course.id, version, quiet: false },
    title: t('act.change-course'),
    about: say({ ...course, version }),
    missing: act => (Object.keys(act).length > 4 ? [] : [t('office:act.aChange')]),
    isWide: true,
    form: fields => <CourseFormFields {...fields} options={options} stored={columns} courseId={course.id} />,
    facts: labelFieldValues(t, ALL_COURSE_FIELDS, columns, options),
    again: async () => toChanged(await api.getOfficeCourse({ params: { id: course.id } }), options),
  })
  const change = (read: OfficeCourse, options: SelectOptionsByKind) =>
    startAct<'change-course'>(toChanged(read, options))

  const addLesson = (read: CourseSummary, startTime: string, endTime: string) =>
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

  const remove = (read: CourseSummary) =>
    startAct(
      seen<'remove'>(read, course => ({
        act: { kind: 'remove', what: 'course', id: course.id, version: course.version },
        title: t('act.remove-course'),
        about: say(course),
      })),
    )

  return {
    change,
    changeMany,
    addLesson,
    remove,
  }
}

const NAMES = ['fee', 'energyFee', 'externalFee', 'participants', 'bookableFrom'] as const
/** The same fields as in the form for a single course, except that none is required. */
const FIELDS = ALL_COURSE_FIELDS.filter(({ name }) => NAMES.some(one => one === name)).map(
  ({ isRequired, ...field }) => field,
)

const hasCourseChanges = (act: InitialActDraft<'change-courses'>): boolean =>
  act.roomId !== undefined || NAMES.some(name => act[name] !== undefined)

type Props = {
  act: InitialActDraft<'change-courses'>
  change(fields: Partial<ActDraft<'change-courses'>>): void
  rooms: readonly Room[]
}

/** Fields to change in all selected courses. Empty fields leave the courses unchanged. */
function BulkCourseFields({ act, change, rooms }: Props) {
  const { t } = useTranslation('office-programme')
  const write = (fields: Record<string, unknown>) =>
    change(
      Object.fromEntries(
        Object.entries(fields).map(([name, value]) => [name, value || value === 0 ? value : undefined]),
      ),
    )
  return (
    <>
      <p>{t('course.manyHint')}</p>
      <ActFields isBulk fields={FIELDS} act={act} change={write} />
      <ChoiceField
        name="roomId"
        label={t('field.room')}
        value={act.roomId === undefined ? '' : String(act.roomId)}
        options={[
          { value: '', label: t('field.unchanged') },
          ...rooms.map(({ roomId, name, site }) => ({
            value: String(roomId),
            label: [name, site].filter(Boolean).join(', '),
          })),
        ]}
        onChange={value => write({ roomId: value === '' ? undefined : Number(value) })}
      />
    </>
  )
}
