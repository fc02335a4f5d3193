import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useAttendance } from '#features/attendance/store.ts'
import { useBookedCourses } from '#features/bookings/resource.ts'
import { useContent } from '#features/content/resource.ts'
import { useCourseIndex } from '#features/courses/resource.ts'
import { useAlbums } from '#features/gallery/resource.ts'
import { useMessages } from '#features/inbox/resource.ts'
import { useCosts } from '#features/money/resource.ts'
import { useSession } from '#features/session/store.ts'
import { readSessionToken } from '#lib/session-token.ts'
import { ListEntry, Stack, Text } from '#ui/layout.tsx'
import { useAsOfFormatter } from './use-as-of-formatter.ts'

/** Status of each offline data set, both public and personal, including those that are not stored yet. */
export function StoredData() {
  const { t } = useTranslation('offline')
  const dayAndTime = useAsOfFormatter()
  const isLoggedIn = readSessionToken() !== null
  const session = useSession(state => state.session)
  useEffect(() => {
    if (session) for (const { recall } of [useBookedCourses, useMessages, useCosts]) recall()
  }, [session])
  const useHeldAlbums = useAlbums()
  const areListsKept = useAttendance(state => state.courses !== null)
  const listsAsOf = useAttendance(state => state.coursesFetchedAt)
  const parts = [
    {
      key: 'courses',
      isMeant: true,
      count: useCourseIndex(state => state.data.length),
      asOf: useCourseIndex(state => state.asOf),
    },
    {
      key: 'content',
      isMeant: true,
      count: useContent(state => state.data.items.length),
      asOf: useContent(state => state.asOf),
    },
    {
      key: 'albums',
      isMeant: true,
      count: useHeldAlbums(state => state.data.albums.length),
      asOf: useHeldAlbums(state => state.asOf),
    },
    {
      key: 'booked',
      isMeant: isLoggedIn,
      count: useBookedCourses(state => state.data.length),
      asOf: useBookedCourses(state => state.asOf),
    },
    {
      key: 'messages',
      isMeant: isLoggedIn,
      count: useMessages(state => state.data.length),
      asOf: useMessages(state => state.asOf),
    },
    {
      key: 'costs',
      isMeant: isLoggedIn,
      count: useCosts(state => state.data.seasons.reduce((count, { courses }) => count + courses.length, 0)),
      asOf: useCosts(state => state.asOf),
    },
    {
      key: 'lists',
      isMeant: areListsKept,
      count: useAttendance(state => Object.keys(state.lists).length),
      asOf: areListsKept ? listsAsOf : null,
    },
  ]
  return (
    <Stack as="section" gap="s" flush mb="xl">
      <h2>{t('stores')}</h2>
      <Stack as="ul" gap="s">
        {parts.map(
          ({ key, isMeant, count, asOf }) =>
            (isMeant || asOf !== null) && (
              <ListEntry key={key}>
                <Text as="span" size="s" grow>
                  <Text as="b" variant="name" tone="ink">
                    {t(`store.${key}`, { count })}
                  </Text>
                  {asOf === null ? t('notKept') : dayAndTime(asOf)}
                </Text>
              </ListEntry>
            ),
        )}
      </Stack>
    </Stack>
  )
}
