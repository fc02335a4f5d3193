import { useTranslation } from 'react-i18next'
import { piece } from '#components/pieces.ts'
import { useAttendance } from '#features/attendance/store.ts'
import { useBookedCourses } from '#features/bookings/resource.ts'
import { useContent } from '#features/content/resource.ts'
import { useCourseIndex } from '#features/courses/resource.ts'
import { useAlbums } from '#features/gallery/resource.ts'
import { useMessages } from '#features/inbox/resource.ts'
import { useDayAndTime } from './use-day-and-time.ts'

/** The parts of the programme, and of the person's own data, that open without a network. */
export function KeptStores() {
  const { t } = useTranslation('offline')
  const dayAndTime = useDayAndTime()
  const coursesAsOf = useCourseIndex(state => state.asOf)
  const useHeldAlbums = useAlbums()
  const areListsKept = useAttendance(state => state.courses !== null)
  const listsAsOf = useAttendance(state => state.coursesFetchedAt)
  const parts = [
    { key: 'courses', count: useCourseIndex(state => state.data.length), asOf: coursesAsOf },
    { key: 'content', count: useContent(state => state.data.items.length), asOf: useContent(state => state.asOf) },
    {
      key: 'albums',
      count: useHeldAlbums(state => state.data.albums.length),
      asOf: useHeldAlbums(state => state.asOf),
    },
    {
      key: 'booked',
      count: useBookedCourses(state => state.data.length),
      asOf: useBookedCourses(state => state.asOf),
    },
    { key: 'messages', count: useMessages(state => state.data.length), asOf: useMessages(state => state.asOf) },
    {
      key: 'lists',
      count: useAttendance(state => Object.keys(state.lists).length),
      asOf: areListsKept ? listsAsOf : null,
    },
  ]
  return (
    <section className={piece('stack', 'close', 'flush', 'below')}>
      <h2>{t('stores')}</h2>
      <ul className={piece('stack', 'close')}>
        {parts.map(
          ({ key, count, asOf }) =>
            asOf !== null && (
              <li key={key} className={piece('entry')}>
                <span className={piece('small', 'grow')}>
                  <b className={piece('name', 'ink')}>{t(`store.${key}`, { count })}</b>
                  {dayAndTime(asOf)}
                </span>
              </li>
            ),
        )}
      </ul>
      {coursesAsOf === null && <p className={piece('muted')}>{t('storesEmpty')}</p>}
    </section>
  )
}
