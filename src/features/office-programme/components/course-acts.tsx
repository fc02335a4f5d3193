import { useTranslation } from 'react-i18next'
import { nameIn } from '#contract/words.ts'
import { type Draft, startAct } from '#features/office/act-store.ts'
import { useLanguage } from '#lib/use-language.ts'
import { type FieldSpec, toInput } from '../model.ts'
import type { OfficeCourse, Person } from '../resource.ts'
import { ActFields, type Options } from './act-fields.tsx'
import { BookFields } from './book-fields.tsx'
import { LessonFields } from './lesson-fields.tsx'
import { MoveFields } from './move-fields.tsx'
import { CourseFields } from './season-acts.tsx'

type NamedCourse = { id: number; version: number; number: string; name: string; name2: string }
type CourseAct = 'confirm-course' | 'unconfirm-course' | 'cancel-course' | 'restore-course'

const NOTE: FieldSpec[] = [{ name: 'note', kind: 'long', isPair: true }]
const MESSAGE: FieldSpec[] = [
  { name: 'title', kind: 'line', isPair: true, isRequired: true },
  { name: 'text', kind: 'long', isPair: true },
]
const OPPOSITE = {
  'confirm-course': 'unconfirm-course',
  'unconfirm-course': 'confirm-course',
  'cancel-course': 'restore-course',
  'restore-course': 'cancel-course',
} as const

/** The acts about whole courses and the people in them. */
export function useCourseActs() {
  const { t } = useTranslation('office-programme')
  const language = useLanguage()
  const say = (course: NamedCourse) => `${course.number} ${nameIn(language, course)}`

  /** The same for one course or many. */
  const setState = (kind: CourseAct, courses: readonly NamedCourse[], onDone?: () => void) => {
    const drafts = courses.map(({ id, version }): Draft<CourseAct> => ({ kind, courseId: id, version, quiet: false }))
    const [act, ...others] = drafts
    const [first] = courses
    if (!act || !first) return
    const isNoted = kind === 'cancel-course' || kind === 'restore-course'
    const title = t(`act.${kind}`, { count: courses.length })
    startAct<CourseAct>({
      act,
      others,
      title,
      confirm: title,
      about: courses.length === 1 ? say(first) : t('course.count', { count: courses.length }),
      ...(isNoted && { form: fields => <ActFields {...fields} fields={NOTE} /> }),
      ...(onDone && { onDone }),
      undo: () => {
        const [one, ...more] = drafts.map(
          ({ courseId }): Draft<CourseAct> => ({ kind: OPPOSITE[kind], courseId, quiet: false }),
        )
        const back = t(`act.${OPPOSITE[kind]}`, { count: courses.length })
        return one ? { act: one, others: more, title: back, confirm: back, about: say(first) } : null
      },
    })
  }

  const change = (
    { columns, version, course }: OfficeCourse,
    options: Options,
    readAgain: () => Promise<OfficeCourse>,
  ) => {
    const factsOf = (read: Pick<OfficeCourse, 'columns'>) =>
      Object.entries(read.columns).map(([name, value]) => ({ label: t(`field.${name}`, name), value: toInput(value) }))
    startAct<'change-course'>({
      act: { kind: 'change-course', courseId: course.id, version, quiet: false },
      title: t('act.change-course'),
      about: say({ ...course, version }),
      confirm: t('act.change-course'),
      isReady: act => Object.keys(act).length > 4,
      form: fields => <CourseFields {...fields} options={options} stored={columns} />,
      facts: factsOf({ columns }),
      readAgain: async () => {
        const read = await readAgain()
        return { version: read.version, facts: factsOf(read) }
      },
    })
  }

  const addLesson = (course: NamedCourse, startTime: string, endTime: string) =>
    startAct<'add-lesson'>({
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
      confirm: t('act.add-lesson'),
      isReady: ({ date }) => Boolean(date),
      form: fields => <LessonFields {...fields} kind="add" />,
    })

  const book = (course: NamedCourse) =>
    startAct<'book'>({
      act: { kind: 'book', courseId: course.id, version: course.version },
      title: t('act.book'),
      about: say(course),
      confirm: t('act.book'),
      isReady: ({ webUserId }) => webUserId !== undefined,
      form: fields => <BookFields {...fields} />,
    })

  const cancelBooking = (course: NamedCourse, person: Person, isWaiting: boolean) => {
    const charges = (['none', 'full'] as const).map(value => ({ value, label: t(`charge.${value}`) }))
    startAct<'cancel-booking'>({
      act: {
        kind: 'cancel-booking',
        courseId: course.id,
        webUserId: person.webUserId,
        charge: 'none',
        version: course.version,
      },
      title: t('act.cancel-booking'),
      about: `${person.name}, ${say(course)}`,
      confirm: t('act.cancel-booking'),
      ...(!isWaiting && {
        form: fields => (
          <ActFields
            {...fields}
            fields={[{ name: 'charge', kind: 'charge', isRequired: true }]}
            options={{ charge: charges }}
          />
        ),
      }),
    })
  }

  const moveBooking = (course: NamedCourse & { seasonId: number }, person: Person) =>
    startAct<'move-booking'>({
      act: {
        kind: 'move-booking',
        fromCourseId: course.id,
        webUserId: person.webUserId,
        version: course.version,
      },
      title: t('act.move-booking'),
      about: `${person.name}, ${say(course)}`,
      confirm: t('act.move-booking'),
      isReady: ({ toCourseId }) => toCourseId !== undefined,
      form: fields => <MoveFields {...fields} seasonId={course.seasonId} fromCourseId={course.id} />,
      undo: (_, { toCourseId }) => ({
        act: { kind: 'move-booking', fromCourseId: toCourseId, toCourseId: course.id, webUserId: person.webUserId },
        title: t('act.move-booking'),
        about: `${person.name}, ${say(course)}`,
        confirm: t('act.move-booking'),
      }),
    })

  const sendMessage = (course: NamedCourse, to: 'course' | 'waiting') =>
    startAct<'send-message'>({
      act: { kind: 'send-message', to, id: course.id, mail: true, title: '' },
      title: t('act.send-message'),
      about: `${t(`to.${to}`)}: ${say(course)}`,
      confirm: t('act.send-message'),
      isReady: ({ title }) => Boolean(title?.trim()),
      form: fields => <ActFields {...fields} fields={[...MESSAGE, { name: 'mail', kind: 'check' }]} />,
    })

  const remove = (course: NamedCourse) =>
    startAct({
      act: { kind: 'remove', what: 'course', id: course.id, version: course.version },
      title: t('act.remove-course'),
      about: say(course),
      confirm: t('act.remove-course'),
    })

  return { setState, change, addLesson, book, cancelBooking, moveBooking, sendMessage, remove }
}
