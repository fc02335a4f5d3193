import { useTranslation } from 'react-i18next'
import { useResource } from '#lib/resource.ts'
import type { ActDraft, InitialActDraft } from '#office/frame/act-store.ts'
import { NoteFields } from '#office/frame/components/note-fields.tsx'
import { useCompleteList } from '#office/frame/list-resource.ts'
import { compareCellValues } from '#office/frame/model.ts'
import { ChoiceField } from '#ui/choice-field.tsx'
import type { ClosureLesson } from '../resource.ts'
import { AffectedLessons } from './affected-lessons.tsx'

type Change = NonNullable<ActDraft<'set-closure'>['lessons']>[number]
type Props = {
  act: InitialActDraft<'set-closure'>
  change(fields: Partial<ActDraft<'set-closure'>>): void
  onRead(lessons: readonly ClosureLesson[]): void
}

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

/** Fields for what is closed and when, and for the lessons affected, which get other rooms. */
export function ClosureFields({ act, change, onRead }: Props) {
  const { t } = useTranslation('office-programme')
  const { roomIds, site, from = '', to = '', lessons: changes = [] } = act
  const isAsked = (site || roomIds) && from !== '' && to !== '' && from <= to
  const query = { ...(site ? { site } : { roomIds: roomIds?.join() }), from, to }
  const reading = useResource('listClosureLessons', isAsked ? { query } : null)
  const optionsOf = ({ free }: ClosureLesson) => ({
    free: free.map(({ roomId, name, site: at }) => ({
      value: `${roomId}`,
      label: [name, at, t('absence.free')].filter(Boolean).join(' · '),
    })),
  })
  return (
    <>
      <PlaceChoice act={act} change={change} />
      <AffectedLessons<ClosureLesson, Change>
        act={act}
        change={change}
        reading={isAsked ? reading : null}
        onRead={onRead}
        bulk={[
          {
            label: count => t('closure.moveAll', { count }),
            decide: undecided => roomsFor(undecided, changes, reading.data?.lessons ?? []),
          },
          {
            label: count => t('closure.cancelAll', { count }),
            decide: undecided => undecided.map(({ courseDateId }) => ({ courseDateId, cancel: true as const })),
          },
        ]}
        optionsOf={optionsOf}
        chosenOf={({ roomId }) => (roomId ? `${roomId}` : '')}
        toChange={value => ({ roomId: Number(value) })}
      />
      <NoteFields act={act} change={change} />
    </>
  )
}
