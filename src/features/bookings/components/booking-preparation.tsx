import { type ReactNode, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { Course } from '#contract/endpoints/courses.ts'
import { clashText, formatTime, nameInLanguage, sortWeekdays } from '#contract/words.ts'
import { useCourses, useFindClashes } from '#features/courses/resource.ts'
import { useSession } from '#features/session/store.ts'
import { useLanguage } from '#lib/use-language.ts'
import { Card, Stack, TapTarget, Text } from '#ui/layout.tsx'
import { IconCircleCheckFilled, IconCircleDashed } from '#ui/shell-icons.ts'
import { styles } from '#ui/styles.ts'
import { findAlternative, loginRoute } from '../model.ts'
import { useBookedCourses } from '../resource.ts'
import { useBookings } from '../store.ts'

function Item({ isDone, children }: { isDone: boolean; children: ReactNode }) {
  const { t } = useTranslation('bookings')
  const Icon = isDone ? IconCircleCheckFilled : IconCircleDashed
  return (
    <TapTarget as="li">
      <Icon size={24} className={styles({ tone: isDone ? 'good' : 'todo' })} />
      <span>
        <span className="visually-hidden">{t(isDone ? 'ready.yes' : 'ready.no')} </span>
        {children}
      </span>
    </TapTarget>
  )
}

const PROFILE_OBSTACLES: Course['obstacle'][] = ['profileIncomplete', 'yearOfBirthMissing']

/** Checklist of what can be prepared before the booking opens. */
export function BookingPreparation({ course }: { course: Course }) {
  const { t } = useTranslation(['bookings', 'courses'])
  const language = useLanguage()
  const session = useSession(state => state.session)
  const isPrepared = useBookings(state => state.agreed.has(course.id))
  const areOwnKnown = useBookedCourses(state => state.phase === 'ready')
  const all = useCourses()
  const isLoggedIn = session !== null
  useEffect(() => {
    if (isLoggedIn) useBookedCourses.load()
  }, [isLoggedIn])
  // What prevents the booking is more urgent than a missing division, which does not.
  const profileObstacle = PROFILE_OBSTACLES.includes(course.obstacle) ? course.obstacleText : ''
  const findClashes = useFindClashes()
  const [clash] = findClashes(course)
  const alternative = findAlternative(
    course,
    all.filter(other => other.courseCategoryId === course.courseCategoryId && findClashes(other).length === 0),
  )
  const nameOf = (course: Pick<Course, 'name' | 'name2'>) => nameInLanguage(language, course)
  return (
    <Stack as="section" gap="s" flush>
      <Text as="h2" mt="l">
        {t('ready.title')}
      </Text>
      <Card as="ul" layout="stack" gap="xs">
        {session ? (
          <>
            <Item isDone>
              {t('ready.loggedIn', {
                name: `${session.givenName} ${session.familyName}`.trim() || session.userName,
              })}
            </Item>
            <Item isDone={!session.isDivisionToSet && profileObstacle === ''}>
              {session.isDivisionToSet || profileObstacle ? (
                <Link href="/edit">{profileObstacle || t('ready.profileIncomplete')}</Link>
              ) : (
                t('ready.profileComplete')
              )}
            </Item>
            {areOwnKnown && course.dates.length > 0 && (
              <Item isDone={clash === undefined}>
                {clash ? (
                  <Link href={`/course-details/${clash.course.id}`}>
                    {clashText(clash, (key, values) => t(`courses:clash.${key}`, values), language)}
                  </Link>
                ) : (
                  t('ready.noOverlap')
                )}
              </Item>
            )}
          </>
        ) : (
          <Item isDone={false}>
            <Link href={loginRoute(course.id)}>{t('ready.notLoggedIn')}</Link>
          </Item>
        )}
        {isPrepared && <Item isDone>{t('ready.prepared')}</Item>}
        <Item isDone={alternative !== null}>
          {alternative ? (
            <Link href={`/course-details/${alternative.id}`}>
              {t('ready.alternative', {
                name: nameOf(alternative),
                day: sortWeekdays(alternative.weekdays)
                  .map(day => t(`courses:day.short.${day}`))
                  .join(' + '),
                time: formatTime(alternative.startTime),
              })}
            </Link>
          ) : (
            t('ready.noAlternative')
          )}
        </Item>
      </Card>
      <Text size="s">{t('ready.hint')}</Text>
    </Stack>
  )
}
