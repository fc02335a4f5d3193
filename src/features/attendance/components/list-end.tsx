import { useTranslation } from 'react-i18next'
import type { StoredList } from '../outbox/list-rows.ts'
import { useCounted } from '../use-counted.ts'

type Props = {
  list: StoredList
  dateId: number
  userId: number
  isToday: boolean
}

/** How far the list is, at its end: with the count in the bar, before the rows. */
export function ListEnd({ list, dateId, userId, isToday }: Props) {
  const { t } = useTranslation('attendance')
  const { present, unrecorded, all } = useCounted(list, dateId, userId)
  return unrecorded > 0
    ? t('unrecorded', { open: unrecorded })
    : t(isToday ? 'recordedToday' : 'recorded', { present, all })
}
