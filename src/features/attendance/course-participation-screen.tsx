import { type FocusEvent, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'wouter'
import { textInLanguage } from '#contract/words.ts'
import { useSession } from '#features/session/store.ts'
import { ApiError, errorMessageOf } from '#lib/api-error.ts'
import { usePageTitle } from '#lib/breadcrumb.ts'
import { focusHeading } from '#lib/focus.ts'
import { useReloadOnReconnect } from '#lib/online.ts'
import { useLanguage } from '#lib/use-language.ts'
import { useAsOfText } from '#ui/as-of-line.tsx'
import { ButtonLink } from '#ui/button.tsx'
import { CardBody } from '#ui/layout.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { EmptyState, ErrorState } from '#ui/state-panel.tsx'
import { AttendanceBar } from './components/attendance-bar.tsx'
import { AttendanceBoard } from './components/attendance-board.tsx'
import classes from './components/gym.module.css'
import { OrphanedChanges } from './components/orphaned-changes.tsx'
import { lists, useAttendance, useBatchedAttendanceLists } from './store.ts'
import { useFollowedList } from './use-followed-list.ts'

/** Attendance of one course, by date. Works offline: each tap is stored on the device before it is sent. */
export function CourseParticipationScreen() {
  const courseId = Number(useParams().id)
  const { t } = useTranslation('attendance')
  const language = useLanguage()
  const session = useSession(state => state.session)
  const userId = session?.isInstructor ? session.webUserId : undefined
  const { [courseId]: list } = useBatchedAttendanceLists()
  const course = useAttendance(state => state.courses?.find(({ id }) => id === courseId))
  const [problem, setProblem] = useState('')
  const [isRefused, setIsRefused] = useState(false)
  const isForeign = isRefused || (session !== null && !session.isInstructor)
  const name = course ? textInLanguage(language, course.name, course.name2) : null
  const asOf = useAsOfText(list?.fetchedAt ?? null, problem !== '')
  usePageTitle(name, '', `/course-participation/${courseId}`)

  const load = useCallback(async () => {
    setProblem('')
    try {
      await lists.load(courseId)
    } catch (error) {
      // A list stored during an earlier visit remains usable.
      setProblem(errorMessageOf(error, t('noList')))
      setIsRefused(error instanceof ApiError && error.status === 403)
    }
  }, [courseId, t])
  useEffect(() => {
    if (userId) load()
  }, [userId, load])
  const clearProblem = useCallback(() => setProblem(''), [])
  useFollowedList(courseId, list !== undefined && userId !== undefined && !isRefused, clearProblem)
  useReloadOnReconnect(load, list !== undefined && problem !== '')

  const focused = useRef<Element | null>(null)
  const followFocus = {
    onFocus: ({ target }: FocusEvent) => {
      focused.current = target
    },
  }
  const hasList = list !== undefined
  // The loaded list has its own heading, which replaces the one that received focus when the page opened.
  useLayoutEffect(() => {
    if (hasList && focused.current?.isConnected === false) focusHeading()
  }, [hasList])

  const title = [asOf, name ?? t('title')].filter(Boolean).join(' · ')
  return (
    <div className={classes.gym} {...followFocus}>
      {list ? (
        <AttendanceBoard list={list} title={title} />
      ) : (
        <>
          <AttendanceBar title={title} />
          <CardBody layout="stack">
            {isForeign && (
              <EmptyState title={t('foreign.title')} text={t('foreign.text')}>
                <ButtonLink href={`/course-details/${courseId}`} look="plain">
                  {t('foreign.toCourse')}
                </ButtonLink>
              </EmptyState>
            )}
            {!isForeign && problem === '' && <Skeleton rows={8} height={60} />}
            {!isForeign && problem !== '' && <ErrorState title={t('failed')} text={problem} onRetry={load} />}
          </CardBody>
          <OrphanedChanges courseId={courseId} list={list} />
        </>
      )}
    </div>
  )
}
