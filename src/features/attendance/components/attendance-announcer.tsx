import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { outboxStatusMessages } from '../outbox/records.ts'
import { useAttendance } from '../store.ts'

const DEBOUNCE_MS = 1_200

/**
 * Debounced live region: consecutive taps are announced together. The message that all changes are synchronized is
 * announced without delay.
 */
export function AttendanceAnnouncer({ text, userId }: { text: string; userId: number }) {
  const { t } = useTranslation('attendance')
  const isAllSafe = useAttendance(({ view }) =>
    outboxStatusMessages(view, userId).some(({ kind }) => kind === 'allSafe'),
  )
  const [announced, setAnnounced] = useState({ text: '', isAllSafe: false })
  useEffect(() => {
    const timer = setTimeout(() => setAnnounced({ text, isAllSafe }), DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [text, isAllSafe])
  return (
    <p role="status" className="visually-hidden">
      {announced.text}
      {announced.isAllSafe && isAllSafe && ` ${t('outbox.allConfirmed')}`}
    </p>
  )
}
