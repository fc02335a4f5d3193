import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { nameInLanguage } from '#contract/words.ts'
import { useCourseIndex } from '#features/courses/resource.ts'
import { useLanguage } from '#lib/use-language.ts'
import { Notice, Stack } from '#ui/layout.tsx'
import { styles } from '#ui/styles.ts'
import { useBookings } from '../store.ts'

/** Bookings and cancellations whose response was lost and which are being retried. */
export function PendingBookings() {
  const { t } = useTranslation('bookings')
  const language = useLanguage()
  const pending = useBookings(state => state.pending)
  const courses = useCourseIndex(state => state.data)
  return (
    <Stack role="status" gap="s" hideEmpty>
      {courses
        .filter(({ id }) => pending.get(id)?.phase === 'asking')
        .map(course => (
          <Notice key={course.id} flush>
            <Link href={`/course-details/${course.id}`} className={styles({ base: 'tapTarget', plain: true })}>
              {nameInLanguage(language, course)}: {t('action.asking')}
            </Link>
          </Notice>
        ))}
    </Stack>
  )
}
