import { useTranslation } from 'react-i18next'
import { LessonCard } from '#features/courses/week/lesson-card.tsx'
import { attendanceListUrl, LIST_OFFERED_AFTER_START_MS } from '../model.ts'
import { useAttendance } from '../store.ts'

export function NextAttendanceListCard() {
  const { t } = useTranslation('attendance')
  const courses = useAttendance(state => state.courses)
  return (
    <LessonCard
      courses={courses ?? []}
      label={t('instructor.next')}
      hrefOf={attendanceListUrl}
      action={t('instructor.record')}
      afterMs={LIST_OFFERED_AFTER_START_MS}
    />
  )
}
