import { useTranslation } from 'react-i18next'
import { LessonCard } from '#features/courses/components/lesson-card.tsx'
import { LIST_STAYS_MS, listAddress } from '../model.ts'
import { useAttendance } from '../store.ts'

export function NextListCard() {
  const { t } = useTranslation('attendance')
  const courses = useAttendance(state => state.courses)
  return (
    <LessonCard
      courses={courses ?? []}
      label={t('instructor.next')}
      hrefOf={listAddress}
      action={t('instructor.record')}
      afterMs={LIST_STAYS_MS}
    />
  )
}
