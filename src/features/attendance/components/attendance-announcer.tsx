import { useEffect, useState } from 'react'

const CALM_MS = 1_200

/** Live region that announces the attendance status, debounced: not each tap and response. */
export function AttendanceAnnouncer({ text }: { text: string }) {
  const [announced, setAnnounced] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setAnnounced(text), CALM_MS)
    return () => clearTimeout(timer)
  }, [text])
  return (
    <p role="status" className="visually-hidden">
      {announced}
    </p>
  )
}
