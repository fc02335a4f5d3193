import { useTranslation } from 'react-i18next'
import { LessonCard } from '#features/courses/components/lesson-card.tsx'
import { listAddress } from '../model.ts'
import { useAttendance } from '../store.ts'

/** Many lists are ticked when the lesson is over. */
const STAYS_MS = 30 * 60_000

/** The instructor's next lesson, with the way to its list. */
export function NextListCard() {
  const { t } = useTranslation('attendance')
  const courses = useAttendance(state => state.courses)
  return (
    <LessonCard
      courses={courses ?? []}
      label={t('instructor.next')}
      hrefOf={listAddress}
      action={t('instructor.record')}
      afterMs={STAYS_MS}
    />
  )
}
