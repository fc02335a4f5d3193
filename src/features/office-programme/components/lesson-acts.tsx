import { useTranslation } from 'react-i18next'
import { type ActRequest, type Draft, startAct } from '#features/office/act-store.ts'
import { sayDate } from '../model.ts'
import type { Instructor, Room } from '../resource.ts'
import { LessonFields } from './lesson-fields.tsx'

/** A lesson as the acts need it. */
export type ActLesson = {
  courseDateId: number
  date: string
  startTime: string
  endTime: string
  roomId: number | null
  /** of the substitute */
  instructorEmail: string | null
  /** of its course; undefined: whatever it is by then */
  version: number | undefined
  courseName: string
}

const versionOf = ({ version }: ActLesson) => (version === undefined ? {} : { version })

type Choices = { rooms: readonly Room[]; instructors: readonly Instructor[] }

/** The acts about one lesson, each with its preview in the dialog. */
export function useLessonActs({ rooms, instructors }: Choices) {
  const { t } = useTranslation('office-programme')
  const aboutOf = ({ courseName, date, startTime }: ActLesson) => `${courseName}, ${sayDate(date)}, ${startTime}`
  const noted = (lesson: ActLesson, kind: 'cancel-lesson' | 'restore-lesson'): ActRequest<typeof kind> => ({
    act: { kind, courseDateId: lesson.courseDateId, quiet: false, ...versionOf(lesson) },
    title: t(`act.${kind}`),
    about: aboutOf(lesson),
    confirm: t(`act.${kind}`),
    form: fields => <LessonFields {...fields} kind="note" />,
    undo: () => noted({ ...lesson, version: undefined }, kind === 'cancel-lesson' ? 'restore-lesson' : 'cancel-lesson'),
  })
  /** With what is to be other already, as after a drag. */
  const changed = (lesson: ActLesson, to: Partial<Draft<'change-lesson'>> = {}): ActRequest<'change-lesson'> => {
    const { courseDateId, date, startTime, endTime, roomId, instructorEmail } = lesson
    return {
      act: { kind: 'change-lesson', courseDateId, quiet: false, ...versionOf(lesson), ...to },
      title: t('act.change-lesson'),
      about: aboutOf(lesson),
      confirm: t('act.change-lesson'),
      form: fields => (
        <LessonFields {...fields} kind="change" lesson={lesson} rooms={rooms} instructors={instructors} />
      ),
      isReady: act =>
        Object.keys(act).some(name => ['date', 'startTime', 'endTime', 'roomId', 'instructorEmail'].includes(name)),
      undo: () => changed({ ...lesson, version: undefined }, { date, startTime, endTime, roomId, instructorEmail }),
    }
  }
  return {
    cancel: (lesson: ActLesson) => startAct(noted(lesson, 'cancel-lesson')),
    restore: (lesson: ActLesson) => startAct(noted(lesson, 'restore-lesson')),
    change: (lesson: ActLesson, to?: Partial<Draft<'change-lesson'>>) => startAct(changed(lesson, to)),
  }
}
