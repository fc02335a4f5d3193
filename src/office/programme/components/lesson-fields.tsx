import { useTranslation } from 'react-i18next'
import type { FormFieldSpec } from '#contract/tables/fields.ts'
import { ChoiceField } from '#ui/choice-field.tsx'
import type { Instructor, Room } from '../resource.ts'
import { ActFields } from './act-fields.tsx'
import { type LessonSeries, useFreeRoomsAndInstructors } from './room-and-instructor-pickers.tsx'

export type EditableLesson = {
  courseDateId: number
  courseId: number
  state: 'planned' | 'cancelled'
  /** name of the room */
  room: string
  date: string
  startTime: string
  endTime: string
  roomId: number | null
  /** e-mail address of the substitute */
  instructorEmail: string | null
  /** version of the lesson's course; if undefined, the version is not checked */
  version: number | undefined
  courseName: string
}

export const NOTE_FIELDS: FormFieldSpec[] = [{ name: 'note', kind: 'text', isPair: true }]
const TIME: FormFieldSpec[] = [
  { name: 'date', kind: 'date' },
  { name: 'startTime', kind: 'time' },
  { name: 'endTime', kind: 'time' },
]

type Props = {
  kind: 'note' | 'change' | 'add'
  act: object
  change(fields: object): void
  lesson?: EditableLesson
  rooms?: readonly Room[]
  instructors?: readonly Instructor[]
}

export function LessonFields({ kind, act, change, lesson, rooms = [], instructors = [] }: Props) {
  const given: Partial<EditableLesson> = { ...lesson, ...act }
  const { date, startTime, endTime } = given
  const taken = useTaken(kind === 'change' ? { start: date, startTime, endTime } : {}, lesson?.courseId ?? null)
  return (
    <>
      {kind !== 'note' && <ActFields fields={TIME} act={act} stored={{ ...lesson }} change={change} />}
      {kind === 'change' && (
        <>
          <RoomField
            value={given.roomId ?? null}
            rooms={rooms}
            taken={taken.rooms}
            onChange={roomId => change({ roomId })}
          />
          <InstructorField
            value={given.instructorEmail ?? ''}
            instructors={instructors}
            taken={taken.instructors}
            onChange={instructorEmail => change({ instructorEmail })}
          />
        </>
      )}
      {kind !== 'add' && <ActFields fields={NOTE_FIELDS} act={act} change={change} />}
    </>
  )
}

type Taken = ReadonlyMap<string, string>

/** Explains why rooms and instructors are unavailable at the time of a lesson, by option value. */
function useTaken(series: LessonSeries, courseId: number | null): { rooms: Taken; instructors: Taken } {
  const { t } = useTranslation('office-programme')
  const { data } = useFreeRoomsAndInstructors(series, courseId)
  const say = (by: string) => t('lesson.taken', { by: by || t('absence.away') })
  const isTaken = ({ taken }: { taken: number }) => taken > 0
  return {
    rooms: new Map(data?.rooms.filter(isTaken).map(({ roomId, by }) => [String(roomId), say(by)])),
    instructors: new Map(data?.instructors.filter(isTaken).map(({ email, by }) => [email, say(by)])),
  }
}

/** Lists the available options first; the labels of the others state why they are unavailable. */
const freeFirst = (options: Option[], taken: Taken = new Map()): Option[] => [
  ...options.filter(({ value }) => !taken.has(value)),
  ...options
    .filter(({ value }) => taken.has(value))
    .map(({ value, label }) => ({ value, label: `${label} · ${taken.get(value)}` })),
]

/** Value of the option that leaves the field unchanged. */
const UNCHANGED = 'unchanged'
type Option = { value: string; label: string }

/**
 * Options listed before the rooms or instructors: the course's own value and, if the form changes several lessons,
 * "unchanged".
 */
function useFirstOptions(isOptional: boolean): Option[] {
  const { t } = useTranslation('office-programme')
  return [
    ...(isOptional ? [{ value: UNCHANGED, label: t('field.unchanged') }] : []),
    { value: '', label: t('lesson.asCourse') },
  ]
}

type RoomProps = {
  /** null: the course's own room; undefined: leave unchanged */
  value: number | null | undefined
  rooms: readonly Room[]
  isOptional?: boolean
  taken?: Taken
  onChange(roomId: number | null | undefined): void
}

export function RoomField({ value, rooms, isOptional = false, taken, onChange }: RoomProps) {
  const { t } = useTranslation('office-programme')
  const first = useFirstOptions(isOptional)
  return (
    <ChoiceField
      name="roomId"
      label={t('field.room')}
      value={value === undefined ? UNCHANGED : String(value ?? '')}
      options={[
        ...first,
        ...freeFirst(
          rooms.map(({ roomId, name, site }) => ({
            value: String(roomId),
            label: [name, site].filter(Boolean).join(', '),
          })),
          taken,
        ),
      ]}
      onChange={chosen => onChange(chosen === UNCHANGED ? undefined : chosen === '' ? null : Number(chosen))}
    />
  )
}

type InstructorProps = {
  /** '' or null: the course's own instructors; undefined: leave unchanged */
  value: string | null | undefined
  instructors: readonly Instructor[]
  isOptional?: boolean
  taken?: Taken
  onChange(email: string | undefined): void
}

export function InstructorField({ value, instructors, isOptional = false, taken, onChange }: InstructorProps) {
  const { t } = useTranslation('office-programme')
  const first = useFirstOptions(isOptional)
  return (
    <ChoiceField
      name="instructorEmail"
      label={t('field.instructorOfLesson')}
      value={value === undefined ? UNCHANGED : (value ?? '')}
      options={[
        ...first,
        ...freeFirst(
          instructors.map(({ email, familyName, givenName }) => ({
            value: email,
            label: [familyName, givenName].filter(Boolean).join(', '),
          })),
          taken,
        ),
      ]}
      onChange={chosen => onChange(chosen === UNCHANGED ? undefined : chosen)}
    />
  )
}
