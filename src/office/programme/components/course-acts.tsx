import i18next from 'i18next'
import { useTranslation } from 'react-i18next'
import type { FormFieldSpec } from '#contract/tables/fields.ts'
import { api } from '#lib/api.ts'
import {
  type ActDraft,
  type ActRequest,
  courseLabel,
  type InitialActDraft,
  requestsOn,
} from '#office/frame/act-store.ts'
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

const t = i18next.getFixedT(null, 'office-programme')
const NOTE: FormFieldSpec[] = [{ name: 'note', kind: 'text', isPair: true }]
const OPPOSITE = {
  'confirm-course': 'unconfirm-course',
  'unconfirm-course': 'confirm-course',
  'cancel-course': 'restore-course',
  'restore-course': 'cancel-course',
} as const

const factOf = (course: CourseSummary) => {
  const { venue, cancelled, confirmed } = course
  const state = t(cancelled ? 'state.cancelled' : confirmed ? 'state.confirmed' : 'state.open')
  return { label: courseLabel(course), value: [state, venue].filter(Boolean).join(' · ') }
}

/** Builds the request for an action on a course. */
export const requestOnCourse = requestsOn(
  (course: CourseSummary) => [factOf(course)],
  async ({ id }) => {
    const { course, version } = await api.getOfficeCourse({ params: { id } })
    return { ...course, version }
  },
)

function toState(kind: CourseAct, courses: readonly CourseSummary[], onDone?: () => void): ActRequest<CourseAct> {
  const [act, ...others] = courses.map(
    ({ id, version }): ActDraft<CourseAct> => ({ kind, courseId: id, version, quiet: false }),
  )
  const [first] = courses
  if (!act || !first) throw new Error('no course is left to confirm or cancel')
  const isNoted = kind === 'cancel-course' || kind === 'restore-course'
  return {
    act,
    others,
    title: t(`act.${kind}`, { count: courses.length }),
    about: courses.length === 1 ? courseLabel(first) : t('course.count', { count: courses.length }),
    ...(isNoted && { form: fields => <ActFields {...fields} fields={NOTE} /> }),
    ...(onDone && { onDone }),
    facts: courses.map(factOf),
    again: async () => {
      const now = await fetchList('listOfficeCourses', { seasonId: first.seasonId })
      return toState(
        kind,
        courses.map(course => now.find(({ id }) => id === course.id) ?? course),
        onDone,
      )
    },
    undo: () => {
      const [one, ...more] = courses.map(
        ({ id }): ActDraft<CourseAct> => ({ kind: OPPOSITE[kind], courseId: id, quiet: false }),
      )
      const back = t(`act.${OPPOSITE[kind]}`, { count: courses.length })
      return one ? { act: one, others: more, title: back, about: courseLabel(first) } : null
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

/** Confirms, cancels or restores courses. */
export function setCourseState(
  kind: CourseAct,
  courses: readonly CourseSummary[],
  onDone?: () => void,
): ActRequest<CourseAct> | ActRequest<'change-courses'> {
  const isConfirmed = kind === 'confirm-course'
  return courses.length > 1 && (isConfirmed || kind === 'unconfirm-course')
    ? toConfirmed(courses, isConfirmed, onDone)
    : toState(kind, courses, onDone)
}

/**
 * Sets the same prices, number of seats, start of booking or room for several courses.
 * @param rooms rooms to choose from
 */
export const changeCourses = (
  courses: readonly CourseSummary[],
  rooms: readonly Room[],
  onDone: () => void,
): ActRequest<'change-courses'> => ({
  act: { kind: 'change-courses', courseIds: courses.map(({ id }) => id), quiet: false },
  title: t('act.change-courses', { count: courses.length }),
  about: t('course.count', { count: courses.length }),
  isWide: true,
  missing: act => (hasCourseChanges(act) ? [] : [t('office:act.aChange')]),
  form: fields => <BulkCourseFields {...fields} rooms={rooms} />,
  onDone,
})

export const changeCourse = (
  { columns, version, course }: OfficeCourse,
  options: SelectOptionsByKind,
): ActRequest<'change-course'> => ({
  act: { kind: 'change-course', courseId: course.id, version, quiet: false },
  title: t('act.change-course'),
  about: courseLabel(course),
  missing: act => (Object.keys(act).length > 4 ? [] : [t('office:act.aChange')]),
  isWide: true,
  form: fields => <CourseFormFields {...fields} options={options} stored={columns} courseId={course.id} />,
  facts: labelFieldValues(ALL_COURSE_FIELDS, columns, options),
  again: async () => changeCourse(await api.getOfficeCourse({ params: { id: course.id } }), options),
})

export const addLesson = (read: CourseSummary, startTime: string, endTime: string) =>
  requestOnCourse<'add-lesson'>(read, course => ({
    act: { kind: 'add-lesson', courseId: course.id, version: course.version, startTime, endTime, quiet: false },
    title: t('act.add-lesson'),
    about: courseLabel(course),
    missing: ({ date }) => (date ? [] : [t('field.date')]),
    form: fields => <LessonFields {...fields} kind="add" />,
  }))

export const removeCourse = (read: CourseSummary) =>
  requestOnCourse<'remove'>(read, course => ({
    act: { kind: 'remove', what: 'course', id: course.id, version: course.version },
    title: t('act.remove-course'),
    about: courseLabel(course),
  }))

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
