import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Course, SOON_DAYS } from '#contract/endpoints/courses.ts'
import { useResource } from '#lib/resource.ts'
import { Text } from '#ui/layout.tsx'
import { IconChevronDown } from '#ui/shell-icons.ts'

/** How people fared who had the same position on earlier waiting lists. Requested only when it is opened. */
export function WaitingOdds({ course }: { course: Course }) {
  const { t } = useTranslation('own-bookings')
  const [isOpen, setIsOpen] = useState(false)
  const { data, error } = useResource('getWaitingOdds', isOpen ? { params: { id: course.id } } : null)
  const odds = data?.odds
  const sentence = () => {
    if (error) return t('odds.failed')
    if (!data) return t('odds.loading')
    if (!odds) return t('odds.unknown')
    const key = odds.placedSoon * 2 > odds.placed ? 'odds.countedSoon' : 'odds.counted'
    return t(key, { ...odds, days: SOON_DAYS })
  }
  return (
    <details onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <Text as="summary" size="s">
        {t('odds.ask')} <IconChevronDown size={16} />
      </Text>
      <Text size="s" tone="ink" role="status">
        {isOpen && sentence()}
      </Text>
    </details>
  )
}
