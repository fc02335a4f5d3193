import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { nameInLanguage } from '#contract/words.ts'
import { useResource } from '#lib/resource.ts'
import { useLanguage } from '#lib/use-language.ts'
import type { ActDraft, InitialActDraft } from '#office/frame/act-store.ts'
import { LoadingState } from '#office/frame/components/loading-state.tsx'
import { NoteFields } from '#office/frame/components/note-fields.tsx'
import { useCompleteList } from '#office/frame/list-resource.ts'
import { compareCellValues, weekdayOf } from '#office/frame/model.ts'
import { Button } from '#ui/button.tsx'
import { ChoiceField } from '#ui/choice-field.tsx'
import { FieldGrid, Row, Stack, Text } from '#ui/layout.tsx'
import { formatShortDay } from '../model.ts'
import type { ClosureLesson } from '../resource.ts'
import { Span } from './absence-fields.tsx'
import { ActFields } from './act-fields.tsx'

type Closure = InitialActDraft<'set-closure'>
type Change = NonNullable<ActDraft<'set-closure'>['lessons']>[number]
type Props = {
  act: Closure
  change(fields: Partial<ActDraft<'set-closure'>>): void
  onRead(lessons: readonly ClosureLesson[]): void
}

/** Values of the select that are not ids of rooms. */
const [OPEN, CANCEL, MOVE] = ['', 'cancel', 'move']
const TIME = [
  { name: 'date', kind: 'date' },
  { name: 'startTime', kind: 'time' },
  { name: 'endTime', kind: 'time' },
] as const
const SITE_PREFIX = 'site:'

/** Select for what is closed: a room or a whole site. */
function PlaceChoice({ act: { roomIds, site }, change }: Omit<Props, 'onRead'>) {
  const { t } = useTranslation('office-programme')
  const rooms = useCompleteList('listRooms').data ?? []
  const sites = [...new Set(rooms.map(room => room.site))].filter(Boolean)
  const options = [
    ...sites.map(name => ({ value: `${SITE_PREFIX}${name}`, label: t('closure.site', { name }) })),
    ...rooms.map(room => ({ value: `${room.roomId}`, label: [room.name, room.site].filter(Boolean).join(', ') })),
  ].toSorted((a, b) => compareCellValues(a.label, b.label))
  const several = roomIds && roomIds.length > 1 ? roomIds.join() : ''
  return (
    <ChoiceField
      name="place"
      label={t('closure.place')}
      required
      placeholder={t('closure.choose')}
      value={site ? `${SITE_PREFIX}${site}` : several || `${roomIds?.[0] ?? ''}`}
      options={[
        ...(several ? [{ value: several, label: t('closure.rooms', { count: roomIds?.length }) }] : []),
        ...options,
      ]}
      onChange={value =>
        value.startsWith(SITE_PREFIX)
          ? change({ site: value.slice(SITE_PREFIX.length), roomIds: undefined, lessons: [] })
          : change({ site: undefined, roomIds: value.split(',').map(Number), lessons: [] })
      }
    />
  )
}

/** Gives each lesson the first free room that no other lesson at that time has been given. */
function roomsFor(undecided: readonly ClosureLesson[], changes: readonly Change[], all: readonly ClosureLesson[]) {
  const given = changes.flatMap(({ courseDateId, roomId }) => {
    const lesson = all.find(one => one.courseDateId === courseDateId)
    return lesson && roomId ? [{ lesson, roomId }] : []
  })
  const overlaps = (a: ClosureLesson, b: ClosureLesson) =>
    a.date === b.date && a.startTime < b.endTime && b.startTime < a.endTime
  const moved: { courseDateId: number; roomId: number }[] = []
  for (const lesson of undecided) {
    const room = lesson.free.find(
      ({ roomId }) => !given.some(other => other.roomId === roomId && overlaps(other.lesson, lesson)),
    )
    if (!room) continue
    given.push({ lesson, roomId: room.roomId })
    moved.push({ courseDateId: lesson.courseDateId, roomId: room.roomId })
  }
  return moved
}

/**
 * Fields for what is closed and when, and for the lessons affected. Each lesson gets another room or time, is cancelled,
 * or remains undecided.
 */
export function ClosureFields({ act, change, onRead }: Props) {
  const { t } = useTranslation('office-programme')
  const { roomIds, site, from = '', to = '', lessons: changes = [] } = act
  const isAsked = (site || roomIds) && from !== '' && to !== '' && from <= to
  const query = { ...(site ? { site } : { roomIds: roomIds?.join() }), from, to }
  const reading = useResource('listClosureLessons', isAsked ? { query } : null)
  const lessons = reading.data?.lessons ?? []
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once per response
  useEffect(() => onRead(lessons), [reading.data])
  const setSpan = (span: { from?: string; to?: string }) => {
    const [first, last] = [span.from ?? from, span.to ?? to]
    const kept = lessons.filter(({ date }) => first <= date && date <= last).map(({ courseDateId }) => courseDateId)
    change({ ...span, lessons: changes.filter(({ courseDateId }) => kept.includes(courseDateId)) })
  }
  const set = (courseDateId: number, next: Omit<Change, 'courseDateId'> | null) => {
    const others = changes.filter(one => one.courseDateId !== courseDateId)
    change({ lessons: next === null ? others : [...others, { courseDateId, ...next }] })
  }
  const undecided = lessons.filter(({ courseDateId }) => !changes.some(one => one.courseDateId === courseDateId))
  const cancelAll = () =>
    change({
      lessons: [...changes, ...undecided.map(({ courseDateId }) => ({ courseDateId, cancel: true as const }))],
    })
  const movable = roomsFor(undecided, changes, lessons)
  return (
    <>
      <PlaceChoice act={act} change={change} />
      <Span from={from} to={to} onChange={setSpan} />
      {isAsked && reading.data === null && <LoadingState reading={reading} />}
      {isAsked && reading.data !== null && (
        <Stack as="section" aria-label={t('absence.lessons', { count: lessons.length })}>
          <Row justify="between">
            <Text as="h3" variant="name" flush>
              {t('absence.lessons', { count: lessons.length })}
            </Text>
            {movable.length > 0 && (
              <Button look="quiet" isPill onClick={() => change({ lessons: [...changes, ...movable] })}>
                {t('closure.moveAll', { count: movable.length })}
              </Button>
            )}
            {undecided.length > 0 && (
              <Button look="quiet" isPill onClick={cancelAll}>
                {t('closure.cancelAll', { count: undecided.length })}
              </Button>
            )}
          </Row>
          <FieldGrid>
            {lessons.map(lesson => (
              <LessonChoice
                key={lesson.courseDateId}
                lesson={lesson}
                given={changes.find(({ courseDateId }) => courseDateId === lesson.courseDateId)}
                onChange={next => set(lesson.courseDateId, next)}
              />
            ))}
          </FieldGrid>
        </Stack>
      )}
      <NoteFields act={act} change={change} />
    </>
  )
}

type LessonProps = {
  lesson: ClosureLesson
  given: Change | undefined
  onChange(next: Omit<Change, 'courseDateId'> | null): void
}

const choiceOf = (change: Change | undefined) => {
  if (change === undefined) return OPEN
  if (change.cancel) return CANCEL
  return change.roomId ? `${change.roomId}` : MOVE
}

function LessonChoice({ lesson, given, onChange }: LessonProps) {
  const { t } = useTranslation('office-programme')
  const language = useLanguage()
  const { date, startTime, endTime, room, booked, free } = lesson
  const choose = (value: string) => {
    if (value === OPEN) onChange(null)
    else if (value === CANCEL) onChange({ cancel: true })
    else if (value === MOVE) onChange({ date, startTime, endTime })
    else onChange({ roomId: Number(value) })
  }
  const choice = choiceOf(given)
  return (
    <Stack gap="s">
      <ChoiceField
        name={`lesson-${lesson.courseDateId}`}
        label={`${t(`day.${weekdayOf(date)}`)} ${formatShortDay(date)} ${startTime} · ${nameInLanguage(language, lesson)}`}
        hint={[room, t('absence.booked', { count: booked })].filter(Boolean).join(' · ')}
        value={choice}
        options={[
          { value: OPEN, label: t('absence.open') },
          ...free.map(({ roomId, name, site }) => ({
            value: `${roomId}`,
            label: [name, site, t('absence.free')].filter(Boolean).join(' · '),
          })),
          { value: CANCEL, label: t('lesson.cancel') },
          { value: MOVE, label: t('absence.move') },
        ]}
        onChange={choose}
      />
      {choice === MOVE && given && (
        <ActFields fields={TIME} act={given} change={fields => onChange({ ...given, ...fields })} />
      )}
    </Stack>
  )
}
