import { useTranslation } from 'react-i18next'
import type { Course } from '#contract/endpoints/courses.ts'
import { BOOKING_STATUS } from '#contract/values.ts'
import { nameInLanguage } from '#contract/words.ts'
import { branding } from '#lib/branding.ts'
import { useLanguage } from '#lib/use-language.ts'
import { ButtonLink } from '#ui/button.tsx'

/**
 * Begins an e-mail about a course that is over. The department receives it for the instructor, whose address is not
 * public.
 */
export function FeedbackLink({ course }: { course: Course }) {
  const { t } = useTranslation('own-bookings')
  const language = useLanguage()
  if (course.bookingStatus !== BOOKING_STATUS.Booked || course.cancelled) return null
  const subject = t('mine.feedbackSubject', { name: nameInLanguage(language, course), number: course.number })
  return (
    <ButtonLink look="text" isOutside href={`mailto:${branding.email}?subject=${encodeURIComponent(subject)}`}>
      {t('mine.feedback')}
    </ButtonLink>
  )
}
