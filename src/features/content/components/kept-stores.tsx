import { useTranslation } from 'react-i18next'
import { useAttendance } from '#features/attendance/store.ts'
import { useBookings } from '#features/bookings/store.ts'
import { useCourses } from '#features/courses/store.ts'
import { useGallery } from '#features/gallery/store.ts'
import { useInbox } from '#features/inbox/store.ts'
import { useContent } from '../store.ts'
import classes from './kept-files.module.css'
import { useDayAndTime } from './use-day-and-time.ts'

/** The parts of the programme, and of the person's own data, that open without a network. */
export function KeptStores() {
  const { t } = useTranslation('offline')
  const dayAndTime = useDayAndTime()
  const courses = useCourses()
  const content = useContent()
  const gallery = useGallery()
  const bookings = useBookings()
  const inbox = useInbox()
  const attendance = useAttendance()
  const parts = [
    { key: 'courses', count: courses.courses.length, asOf: courses.asOf },
    { key: 'content', count: content.items.length, asOf: content.asOf },
    { key: 'albums', count: gallery.albums.length, asOf: gallery.asOf },
    { key: 'booked', count: bookings.courses?.length ?? 0, asOf: bookings.asOf },
    { key: 'messages', count: inbox.messages?.length ?? 0, asOf: inbox.asOf },
    {
      key: 'lists',
      count: Object.keys(attendance.lists).length,
      asOf: attendance.courses ? attendance.coursesFetchedAt : null,
    },
  ]
  return (
    <section className={classes.kept}>
      <h2>{t('stores')}</h2>
      <ul>
        {parts.map(
          ({ key, count, asOf }) =>
            asOf !== null && (
              <li key={key}>
                <span>
                  <b>{t(`store.${key}`, { count })}</b>
                  {dayAndTime(asOf)}
                </span>
              </li>
            ),
        )}
      </ul>
      {courses.asOf === null && <p>{t('storesEmpty')}</p>}
    </section>
  )
}
