import { useTranslation } from 'react-i18next'
import { useResource } from '#lib/resource.ts'
import { Button } from '#ui/button.tsx'
import { ChoiceField } from '#ui/choice-field.tsx'
import { FieldGrid, Row, Text } from '#ui/layout.tsx'

export type LessonSeries = {
  start?: string | undefined
  end?: string | undefined
  startTime?: string | undefined
  endTime?: string | undefined
  day?: number | null
  instructorEmails?: readonly string[]
}
type Props = {
  /** stored fields of the course, overridden by those typed in */
  course: LessonSeries
  /** null for a new course */
  courseId: number | null
  /** whether the instructors are still those of the course from which the form was prefilled */
  areCopied?: boolean
  change(fields: Record<string, unknown>): void
}

/**
 * Fetches the dates of a course and whether rooms and instructors are available then. Sends no request while the
 * course's times are unknown.
 */
export function useFreeRoomsAndInstructors(
  { start, end = start, startTime, endTime, day }: LessonSeries,
  courseId: number | null,
) {
  const isKnown = start && end && startTime && endTime && startTime < endTime && start <= end
  const query = isKnown && {
    from: start,
    to: end,
    startTime,
    endTime,
    ...(typeof day === 'number' && start !== end && { weekday: String(day) }),
    ...(courseId !== null && { courseId: String(courseId) }),
  }
  return useResource('listFree', query ? { query } : null)
}

/** Selects the room and the instructors of a course. Lists those who are free at its times first. */
export function RoomAndInstructorPickers({ course, courseId, areCopied = false, change }: Props) {
  const { t } = useTranslation('office-programme')
  const { instructorEmails = [] } = course
  const { data } = useFreeRoomsAndInstructors(course, courseId)
  const nameOf = (email: string) => data?.instructors.find(one => one.email === email)?.name ?? email
  // The displayed name is that of the instructors, unless it is typed afterwards.
  const teach = (emails: readonly string[]) =>
    change({ instructorEmails: emails, instructor: emails.map(nameOf).join(', ') })
  if (!data) return <Text tone="muted">{t('place.first')}</Text>
  const stateOf = ({ taken, by }: { taken: number; by: string }) =>
    taken === 0 ? t('place.free') : t('place.taken', { taken, count: data.dates.length, by: by || t('absence.away') })
  return (
    <FieldGrid>
      <ChoiceField
        name="room"
        label={t('place.room')}
        value=""
        placeholder={t('field.choose')}
        options={data.rooms.map(room => ({
          value: String(room.roomId),
          label: [[room.name, room.site].filter(Boolean).join(', '), stateOf(room), room.equipment]
            .filter(Boolean)
            .join(' · '),
        }))}
        onChange={value => {
          const room = data.rooms.find(({ roomId }) => String(roomId) === value)
          // The directions are those of the previous room.
          const directions = { location: '', location2: '' }
          if (room) change({ venue: room.name, ...(room.site && { city: room.site }), ...directions })
        }}
      />
      <ChoiceField
        name="instructor"
        label={t('place.instructor')}
        value=""
        placeholder={t('field.choose')}
        options={data.instructors.map(one => ({ value: one.email, label: `${one.name} · ${stateOf(one)}` }))}
        onChange={email => teach([...new Set([...(areCopied ? [] : instructorEmails), email])])}
      />
      {instructorEmails.length > 0 && (
        <Row gap="s">
          {instructorEmails.map(email => (
            <Button
              key={email}
              look="quiet"
              isPill
              aria-label={t('place.remove', { name: nameOf(email) })}
              onClick={() => teach(instructorEmails.filter(other => other !== email))}
            >
              {nameOf(email)} ×
            </Button>
          ))}
        </Row>
      )}
    </FieldGrid>
  )
}
