import { useTranslation } from 'react-i18next'
import type { ResponseOf } from '#contract/endpoint.ts'
import type { listRooms } from '#contract/office/office.ts'
import { type ActDraft, startAct } from '#office/frame/act-store.ts'
import { Button } from '#ui/button.tsx'
import { CheckField } from '#ui/check-field.tsx'
import { Box, Stack } from '#ui/layout.tsx'

type Place = ResponseOf<typeof listRooms>['unknown'][number]
type Room = ActDraft<'create-rooms'>['rooms'][number]

const roomOf = ({ name, site, capacity }: Place): Room => ({ name, site, capacity, shared: false })
const isAt = ({ name, site }: Place, room: Room) => room.name === name && room.site === site
const nameOf = ({ name, site }: Place) => [name, site].filter(Boolean).join(', ')

/**
 * Offers to create rooms for venues in the programme that are not registered as rooms. Conflicts cannot be detected for
 * such venues.
 */
export function UnregisteredVenues({ places }: { places: readonly Place[] }) {
  const { t } = useTranslation('office-programme')
  if (places.length === 0) return null
  const start = () =>
    startAct<'create-rooms'>({
      act: { kind: 'create-rooms', rooms: places.map(roomOf), quiet: false },
      title: t('act.create-rooms'),
      about: t('rooms.lead'),
      missing: ({ rooms = [] }) => (rooms.length > 0 ? [] : [t('field.room')]),
      form: ({ act: { rooms = [] }, change }) => (
        <Box as="ul" bare divided>
          {places.map(place => {
            const room = rooms.find(one => isAt(place, one))
            return (
              <Stack as="li" key={nameOf(place)} gap="s">
                <CheckField
                  label={t('rooms.include', { ...place, name: nameOf(place) })}
                  checked={room !== undefined}
                  onChange={isIncluded =>
                    change({
                      rooms: isIncluded ? [...rooms, roomOf(place)] : rooms.filter(one => !isAt(place, one)),
                    })
                  }
                />
                {room && (
                  <CheckField
                    label={t('rooms.shared', { name: nameOf(place) })}
                    checked={room.shared === true}
                    onChange={shared => change({ rooms: rooms.map(one => (one === room ? { ...one, shared } : one)) })}
                  />
                )}
              </Stack>
            )
          })}
        </Box>
      ),
    })
  return (
    <Button look="quiet" isPill onClick={start}>
      {t('rooms.make', { count: places.length })}
    </Button>
  )
}
