import { useTranslation } from 'react-i18next'
import { ChoiceField } from '#components/choice-field.tsx'
import type { FieldSpec } from '#contract/fields.ts'
import type { Instructor, Room } from '../resource.ts'
import { ActFields } from './act-fields.tsx'

export type ActLesson = {
  courseDateId: number
  courseId: number
  state: 'planned' | 'cancelled'
  /** name of the room */
  room: string
  date: string
  startTime: string
  endTime: string
  roomId: number | null
  /** of the substitute */
  instructorEmail: string | null
  /** version of its course; undefined: no version check */
  version: number | undefined
  courseName: string
}

const NOTE: FieldSpec[] = [{ name: 'note', kind: 'text', isPair: true }]
const TIME: FieldSpec[] = [
  { name: 'date', kind: 'date' },
  { name: 'startTime', kind: 'time' },
  { name: 'endTime', kind: 'time' },
]

type Props = {
  kind: 'note' | 'change' | 'add'
  act: object
  change(fields: object): void
  lesson?: ActLesson
  rooms?: readonly Room[]
  instructors?: readonly Instructor[]
}

export function LessonFields({ kind, act, change, lesson, rooms = [], instructors = [] }: Props) {
  const { t } = useTranslation('office-programme')
  const given: Partial<ActLesson> = { ...lesson, ...act }
  const own = { value: '', label: t('lesson.asCourse') }
  return (
    <>
      {kind !== 'note' && <ActFields fields={TIME} act={act} stored={{ ...lesson }} change={change} />}
      {kind === 'change' && (
        <>
          <ChoiceField
            name="roomId"
            label={t('field.room')}
            value={given.roomId ? String(given.roomId) : ''}
            options={[
              own,
              ...rooms.map(({ roomId, name, site }) => ({
                value: String(roomId),
                label: [name, site].filter(Boolean).join(', '),
              })),
            ]}
            onChange={value => change({ roomId: value === '' ? null : Number(value) })}
          />
          <ChoiceField
            name="instructorEmail"
            label={t('field.instructorOfLesson')}
            value={given.instructorEmail ?? ''}
            options={[
              own,
              ...instructors.map(({ email, familyName, givenName }) => ({
                value: email,
                label: [familyName, givenName].filter(Boolean).join(', '),
              })),
            ]}
            onChange={value => change({ instructorEmail: value })}
          />
        </>
      )}
      {kind !== 'add' && <ActFields fields={NOTE} act={act} change={change} />}
    </>
  )
}
