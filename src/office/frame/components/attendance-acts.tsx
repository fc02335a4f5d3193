import i18next from 'i18next'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useResource } from '#lib/resource.ts'
import { Button } from '#ui/button.tsx'
import { CheckField } from '#ui/check-field.tsx'
import { Row, Stack, Text } from '#ui/layout.tsx'
import type { ActDraft, ActRequest, InitialActDraft } from '../act-store.ts'
import { LoadingState } from './loading-state.tsx'

const t = i18next.getFixedT(null, 'office')
type Fields = {
  act: InitialActDraft<'record-attendance'>
  change(fields: Partial<ActDraft<'record-attendance'>>): void
}

/** Prepares the action that records a lesson's attendance from a list on paper. */
export const recordAttendanceList = (courseDateId: number, about: string): ActRequest<'record-attendance'> => ({
  act: { kind: 'record-attendance', courseDateId },
  title: t('attendance.record'),
  about,
  missing: ({ present, absent }) => (present && absent ? [] : [t('attendance.list')]),
  form: fields => <AttendanceFields {...fields} />,
})

/** Prepares the action that reminds the instructors of lessons without recorded attendance. */
export const remindOfAttendance = (
  courseDateIds: readonly number[],
  about: string,
): ActRequest<'remind-attendance'> => ({
  act: { kind: 'remind-attendance', courseDateIds: [...courseDateIds] },
  title: t('attendance.remind'),
  about,
})

/** The participants of a lesson; those who are ticked were present, all others absent. */
function AttendanceFields({ act: { courseDateId = 0, present = [] }, change }: Fields) {
  const { t } = useTranslation('office')
  const reading = useResource('getLessonAttendance', { params: { id: courseDateId } })
  const people = reading.data?.people
  const set = (there: readonly number[]) => {
    const ids = (people ?? []).map(({ webUserId }) => webUserId)
    change({ present: ids.filter(id => there.includes(id)), absent: ids.filter(id => !there.includes(id)) })
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once the list has been read
  useEffect(() => {
    if (people) set(people.flatMap(({ webUserId, isPresent }) => (isPresent ? webUserId : [])))
  }, [people])
  if (!people) return <LoadingState reading={reading} />
  if (people.length === 0) return <Text flush>{t('attendance.nobody')}</Text>
  return (
    <Stack as="fieldset" bare gap="s">
      <Row justify="between">
        <Text as="legend" variant="name" flush>
          {t('attendance.there', { count: present.length, of: people.length })}
        </Text>
        <Button
          look="quiet"
          isPill
          onClick={() => set(present.length < people.length ? people.map(({ webUserId }) => webUserId) : [])}
        >
          {t(present.length < people.length ? 'attendance.all' : 'attendance.none')}
        </Button>
      </Row>
      {people.map(({ webUserId, name, isGuest }) => (
        <CheckField
          key={webUserId}
          label={isGuest ? t('attendance.guest', { name }) : name}
          checked={present.includes(webUserId)}
          onChange={isThere => set(isThere ? [...present, webUserId] : present.filter(id => id !== webUserId))}
        />
      ))}
    </Stack>
  )
}
