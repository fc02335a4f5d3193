import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { piece } from '#components/pieces.ts'
import { nameIn } from '#contract/words.ts'
import { useCourseIndex } from '#features/courses/resource.ts'
import { useLanguage } from '#lib/use-language.ts'
import { useBookings } from '../store.ts'

/** Bookings and cancellations whose response was lost and is requested again. */
export function PendingBookings() {
  const { t } = useTranslation('bookings')
  const language = useLanguage()
  const pending = useBookings(state => state.pending)
  const courses = useCourseIndex(state => state.data)
  return (
    <div role="status" className={piece('stack', 'close', 'maybe')}>
      {courses
        .filter(({ id }) => pending.get(id)?.phase === 'asking')
        .map(course => (
          <p key={course.id} className={piece('notice', 'flush')}>
            <Link href={`/course-details/${course.id}`} className={piece('tap', 'plain')}>
              {nameIn(language, course)}: {t('action.asking')}
            </Link>
          </p>
        ))}
    </div>
  )
}
