import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, Redirect } from 'wouter'
import { useSession } from '#features/session/store.ts'
import { ApiError } from '#lib/api-error.ts'
import { formatDate, formatTime } from '#lib/format.ts'
import { pickText, readLanguage } from '#lib/language.ts'
import { showError } from '#lib/toast.ts'
import classes from './instructor-courses-screen.module.css'
import { loadInstructorCourses, unsentOf, useAttendance } from './store.ts'

/** The instructor's own courses, each with the way to its attendance. */
export function InstructorCoursesScreen() {
  const { t } = useTranslation('attendance')
  const { phase, session } = useSession()
  const { courses, coursesFetchedAt, entries } = useAttendance()
  const [isUnreachable, setIsUnreachable] = useState(false)
  const isInstructor = session?.isInstructor ?? false
  useEffect(() => {
    if (!isInstructor) return
    loadInstructorCourses()
      .then(() => setIsUnreachable(false))
      .catch(error => (error instanceof ApiError ? showError(error.message) : setIsUnreachable(true)))
  }, [isInstructor])

  if (phase === 'none' || (session && !isInstructor)) return <Redirect to="/home" />
  const language = readLanguage()
  return (
    <div className={classes.screen}>
      <h1>{t('instructor.title')}</h1>
      <p className={classes.intro}>{t('instructor.intro')}</p>
      {courses && isUnreachable && (
        <p className={classes.asOf}>
          {t('instructor.asOf', { time: new Date(coursesFetchedAt).toLocaleString('de-DE').slice(0, -3) })}
        </p>
      )}
      {!courses && <p role="status">{isUnreachable ? t('instructor.noNetwork') : t('loading')}</p>}
      {courses?.length === 0 && <p>{t('instructor.empty')}</p>}
      <ul className={classes.list}>
        {courses?.map(course => {
          const waiting = unsentOf(entries, session?.webUserId).filter(({ courseId }) => courseId === course.id).length
          return (
            <li key={course.id} className={classes.course} data-running={course.running || undefined}>
              <div className={classes.when}>
                <span>{t(`weekday.${course.day}`)}</span>
                <b>{formatTime(course.startTime)}</b>
              </div>
              <div className={classes.what}>
                <h2>
                  <Link href={`/course-details/${course.id}`}>{pickText(language, course.name, course.name2)}</Link>
                </h2>
                <p>
                  {[course.venue, course.city].filter(Boolean).join(' · ')}
                  <br />
                  {formatDate(course.start)} – {formatDate(course.end)} · {course.participation}/{course.participants}
                </p>
                {waiting > 0 && <p className={classes.waiting}>{t('instructor.waiting', { count: waiting })}</p>}
                <Link href={`/course-participation/${course.id}`} className={classes.record}>
                  {t('instructor.record')}
                </Link>
              </div>
            </li>
          )
        })}
      </ul>
    </div>
  )
}
