import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { Course } from '#contract/endpoints/courses.ts'
import { useResource } from '#lib/resource.ts'
import { useLanguage } from '#lib/use-language.ts'
import { Text } from '#ui/layout.tsx'
import { IconChevronDown } from '#ui/shell-icons.ts'
import { formatInstant, proofPath } from '../booking-order-model.ts'

/** The person's place in the order of the course's requests. Requested only when it is opened. */
export function OwnRequest({ course }: { course: Course }) {
  const { t } = useTranslation('own-bookings')
  const language = useLanguage()
  const [isOpen, setIsOpen] = useState(false)
  const { data, error } = useResource('getOwnRequest', isOpen ? { params: { id: course.id } } : null)
  const request = data?.request
  const sentence = () => {
    if (error) return t('odds.failed')
    if (!request) return t('odds.loading')
    return t('request.number', { ...request, time: formatInstant(request.askedAt, language) })
  }
  return (
    <details onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <Text as="summary" size="s">
        {t('request.ask')} <IconChevronDown size={16} />
      </Text>
      <Text size="s" tone="ink" role="status">
        {isOpen && sentence()}
      </Text>
      {request?.proof && <Link href={proofPath(request.proof)}>{t('request.verify')}</Link>}
    </details>
  )
}
