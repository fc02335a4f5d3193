import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { nameInLanguage, textInLanguage } from '#contract/words.ts'
import { useCourses } from '#features/courses/resource.ts'
import { useLanguage } from '#lib/use-language.ts'
import { Card, Stack, Text } from '#ui/layout.tsx'
import { styles } from '#ui/styles.ts'
import { useCancelledCourses } from '../resource.ts'

/**
 * Tells on the page of a cancelled course that the user, who was booked or waiting, pays nothing, and why. Nothing for
 * everybody else.
 */
export function EndedBooking({ courseId }: { courseId: number }) {
  const { t } = useTranslation('own-bookings')
  const language = useLanguage()
  const course = useCancelledCourses(state => state.data.find(({ id }) => id === courseId))
  if (!course) return null
  const note = textInLanguage(language, course.note ?? '', course.note2 ?? '')
  return (
    <Card gap="xs" flush layout="stack">
      <Text flush>{t('cancelled.ended')}</Text>
      {note && <Text flush>{t('cancelled.reason', { note })}</Text>}
    </Card>
  )
}

/**
 * Courses of the user that the department has cancelled, with the reason and what can be booked instead.
 * @param isUnseenOnly omits those whose page the user has opened on this device
 */
export function CancelledCourses({ isUnseenOnly = false }: { isUnseenOnly?: boolean }) {
  const { t } = useTranslation('own-bookings')
  const language = useLanguage()
  const programme = useCourses()
  const cancelled = useCancelledCourses(state => state.data)
  useEffect(() => {
    useCancelledCourses.load()
  }, [])
  const shown = cancelled.filter(({ isSeen }) => !(isUnseenOnly && isSeen))
  if (shown.length === 0) return null
  return (
    <Stack as="section" aria-label={t('cancelled.title')}>
      {shown.map(course => {
        const note = textInLanguage(language, course.note ?? '', course.note2 ?? '')
        const others = programme.filter(({ id }) => course.alternatives?.includes(id))
        return (
          <Card key={course.id} as="article" gap="s" flush layout="stack" status="error">
            <Text as="h2" variant="heading">
              <Link className={styles({ base: 'tapTarget' })} href={`/course-details/${course.id}`}>
                <s>{nameInLanguage(language, course)}</s>
              </Link>
            </Text>
            <Text flush>{t('cancelled.text')}</Text>
            {note && <Text flush>{t('cancelled.reason', { note })}</Text>}
            {others.length > 0 && (
              <>
                <Text flush>{t('cancelled.alternatives')}</Text>
                <ul>
                  {others.map(other => (
                    <li key={other.id}>
                      <Link className={styles({ base: 'tapTarget' })} href={`/course-details/${other.id}`}>
                        {nameInLanguage(language, other)}
                      </Link>
                    </li>
                  ))}
                </ul>
              </>
            )}
          </Card>
        )
      })}
    </Stack>
  )
}
