import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'wouter'
import buttons from '#components/button.module.css'
import { CourtLines } from '#components/court-lines.tsx'
import { SearchBox } from '#components/search-box.tsx'
import { CourseCard } from '#features/courses/components/course-card.tsx'
import { searchFor } from '#features/courses/store.ts'
import { useSession } from '#features/session/store.ts'
import { formatDate, formatTime, fromWallClockMs } from '#lib/format.ts'
import { useOnline } from '#lib/online.ts'
import { wallClockAt } from '#lib/portal-time.ts'
import classes from './booked-courses-screen.module.css'
import { CancelButton } from './components/cancel-button.tsx'
import { sortBooked } from './model.ts'
import { useBookings } from './store.ts'

/** The person's courses: places and waiting-list spots, those that are over at the end. */
export function BookedCoursesScreen() {
  const { t } = useTranslation('bookings')
  const [, navigate] = useLocation()
  const { phase, session } = useSession()
  const { courses, isStale, asOf, load } = useBookings()
  const isOnline = useOnline(state => state.isOnline)
  const [text, setText] = useState('')
  const userName = session?.userName

  useEffect(() => {
    if (phase === 'none') navigate('/home', { replace: true })
  }, [phase, navigate])
  useEffect(() => {
    if (userName !== undefined) load()
  }, [userName, load])

  const stored = asOf === null ? null : fromWallClockMs(wallClockAt(asOf))
  const { current, past } = sortBooked(courses ?? [], wallClockAt(Date.now()))
  return (
    <div className={classes.screen}>
      <header className={classes.hero}>
        <CourtLines className={classes.lines} />
        <h1>{t('mine.greeting', { name: session?.givenName || session?.userName })}</h1>
        <p>{t('mine.greetingText')}</p>
        <SearchBox
          value={text}
          label={t('mine.search')}
          clearLabel={t('mine.searchClear')}
          onChange={setText}
          onSubmit={() => {
            searchFor(text)
            navigate('/courses?redirect=true')
          }}
        />
      </header>
      <h2>{t('mine.title')}</h2>
      {stored && (isStale || !isOnline) && (
        <p className={classes.asOf}>{t('mine.asOf', { date: formatDate(stored), time: formatTime(stored) })}</p>
      )}
      {courses === null && !isStale && <p role="status">{t('mine.loading')}</p>}
      {courses === null && isStale && (
        <div className={classes.state} role="alert">
          <p>{t('mine.failed')}</p>
          <button type="button" className={`${buttons.button} ${buttons.plain}`} onClick={load}>
            {t('mine.retry')}
          </button>
        </div>
      )}
      {courses?.length === 0 && (
        <div className={classes.state}>
          <h3>{t('mine.emptyTitle')}</h3>
          <p>{t('mine.emptyText')}</p>
          <Link href="/courses" className={`${buttons.button} ${buttons.primary}`}>
            {t('mine.emptyAction')}
          </Link>
        </div>
      )}
      {[current, past].map(
        (group, place) =>
          group.length > 0 && (
            <section key={group === past ? 'past' : 'current'}>
              {place === 1 && <h3 className={classes.past}>{t('mine.past')}</h3>}
              <ul className={classes.list} aria-label={t('mine.title')}>
                {group.map(course => (
                  <li key={course.id}>
                    <CourseCard course={course} mode="participant" isLoggedIn>
                      {group === current && <CancelButton course={course} className={classes.cancel} />}
                    </CourseCard>
                  </li>
                ))}
              </ul>
            </section>
          ),
      )}
    </div>
  )
}
