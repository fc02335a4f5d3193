import { useTranslation } from 'react-i18next'
import type { ActDraft, InitialActDraft } from '#office/frame/act-store.ts'
import { addDays } from '#office/frame/model.ts'
import { ChoiceField } from '#ui/choice-field.tsx'
import type { Instructor, Room } from '../resource.ts'
import { ActFields } from './act-fields.tsx'
import { type EditableLesson, InstructorField, NOTE_FIELDS, RoomField } from './lesson-fields.tsx'

type Change = ActDraft<'change-lessons'>['lessons'][number]

/** The change that restores a lesson's previous state. */
export function reversedLessonChange({ courseDateId, cancel, ...change }: Change, before: EditableLesson): Change {
  if (cancel) return { courseDateId, restore: true }
  const { date, startTime, endTime, roomId, instructorEmail } = before
  return {
    courseDateId,
    ...((change.date ?? change.startTime ?? change.endTime) !== undefined && { date, startTime, endTime }),
    ...(change.roomId !== undefined && { roomId }),
    ...(change.instructorEmail !== undefined && { instructorEmail: instructorEmail ?? '' }),
  }
}

const TIME = [
  { name: 'startTime', kind: 'time' },
  { name: 'endTime', kind: 'time' },
] as const
/** Numbers of days by which lessons can be moved. */
const SHIFTS = [-7, -1, 0, 1, 7, 14]

type Props = {
  act: InitialActDraft<'change-lessons'>
  change(fields: Partial<ActDraft<'change-lessons'>>): void
  /** the current state of the selected lessons */
  read: readonly EditableLesson[]
  rooms: readonly Room[]
  instructors: readonly Instructor[]
}

/**
 * Fields that apply the same change to several lessons: move them by a number of days, or change their times, room or
 * instructor.
 */
export function BulkLessonFields({ act, change, read, rooms, instructors }: Props) {
  const { t } = useTranslation('office-programme')
  const lessons = act.lessons ?? []
  const [first] = lessons
  const shift = SHIFTS.find(days => read[0] && first?.date === addDays(read[0].date, days)) ?? 0
  const setAll = (of: (lesson: EditableLesson) => Partial<Change>) =>
    change({
      lessons: read.map(lesson => {
        const before = lessons.find(({ courseDateId }) => courseDateId === lesson.courseDateId)
        const next = { ...before, ...of(lesson), courseDateId: lesson.courseDateId }
        return Object.fromEntries(Object.entries(next).filter(([, value]) => value !== undefined)) as Change
      }),
    })
  return (
    <>
      <ChoiceField
        name="shift"
        label={t('lesson.shift')}
        value={String(shift)}
        options={SHIFTS.map(days => ({ value: String(days), label: t(`lesson.shiftBy.${days}`) }))}
        onChange={days => setAll(({ date }) => ({ date: days === '0' ? undefined : addDays(date, Number(days)) }))}
      />
      <ActFields fields={TIME} act={{ ...first }} change={fields => setAll(() => fields)} />
      <RoomField value={first?.roomId} rooms={rooms} isOptional onChange={roomId => setAll(() => ({ roomId }))} />
      <InstructorField
        value={first?.instructorEmail}
        instructors={instructors}
        isOptional
        onChange={instructorEmail => setAll(() => ({ instructorEmail }))}
      />
      <ActFields fields={NOTE_FIELDS} act={act} change={change} />
    </>
  )
}
