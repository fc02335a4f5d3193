import { useTranslation } from 'react-i18next'
import type { ResponseOf } from '#contract/endpoint.ts'
import type { listRooms } from '#contract/office/office.ts'
import { type ActDraft, startAct } from '#office/frame/act-store.ts'
import { CompactTable } from '#office/frame/components/compact-table.tsx'
import { Button } from '#ui/button.tsx'
import { CheckField } from '#ui/check-field.tsx'
import { CheckLabel } from '#ui/layout.tsx'
import { isPlaceholderVenue } from '../model.ts'

type Place = ResponseOf<typeof listRooms>['unknown'][number]
type Room = ActDraft<'create-rooms'>['rooms'][number]

/** The capacity stays unknown, because the size of a course says little about that of its room. */
const roomOf = ({ name, site }: Place): Room => ({ name, site, capacity: 0, shared: false })
const isAt = ({ name, site }: Place, room: Room) => room.name === name && room.site === site
const nameOf = ({ name, site }: Place) => [name, site].filter(Boolean).join(', ')

type FieldsProps = { places: readonly Place[]; rooms: readonly Room[]; change(rooms: Room[]): void }

/** Table of venues, each with a checkbox that makes it a room. */
function VenueTable({ places, rooms, change }: FieldsProps) {
  const { t } = useTranslation('office-programme')
  return (
    <CompactTable
      caption={t('rooms.lead')}
      most={places.length}
      columns={[
        { label: t('field.name') },
        { label: t('course.list'), isNumber: true },
        { label: t('rooms.lessons'), isNumber: true },
        { label: t('basics.shared') },
      ]}
      rows={places.map(place => {
        const room = rooms.find(one => isAt(place, one))
        return {
          key: nameOf(place),
          cells: [
            <CheckField
              key="name"
              label={nameOf(place)}
              checked={room !== undefined}
              onChange={isIncluded =>
                change(isIncluded ? [...rooms, roomOf(place)] : rooms.filter(one => !isAt(place, one)))
              }
            />,
            place.courses,
            place.lessons,
            room && (
              <CheckLabel key="shared">
                <input
                  type="checkbox"
                  aria-label={t('rooms.shared', { name: nameOf(place) })}
                  checked={room.shared === true}
                  onChange={event => {
                    const shared = event.currentTarget.checked
                    change(rooms.map(one => (one === room ? { ...one, shared } : one)))
                  }}
                />
              </CheckLabel>
            ),
          ],
        }
      })}
    />
  )
}

/**
 * Offers to create rooms for venues in the programme that are not registered as rooms. Conflicts cannot be detected for
 * such venues.
 */
export function UnregisteredVenues({ places }: { places: readonly Place[] }) {
  const { t } = useTranslation('office-programme')
  if (places.length === 0) return null
  const start = () =>
    startAct<'create-rooms'>({
      act: {
        kind: 'create-rooms',
        rooms: places.filter(({ name }) => !isPlaceholderVenue(name)).map(roomOf),
        quiet: false,
      },
      title: t('act.create-rooms'),
      about: t('rooms.lead'),
      isWide: true,
      missing: ({ rooms = [] }) => (rooms.length > 0 ? [] : [t('field.room')]),
      form: ({ act: { rooms = [] }, change }) => (
        <VenueTable places={places} rooms={rooms} change={next => change({ rooms: next })} />
      ),
      details: ({ result }) => (
        <p>{t('rooms.linked', { count: Number(result.courses), lessons: Number(result.lessons) })}</p>
      ),
    })
  return (
    <Button look="quiet" isPill onClick={start}>
      {t('rooms.make', { count: places.length })}
    </Button>
  )
}
