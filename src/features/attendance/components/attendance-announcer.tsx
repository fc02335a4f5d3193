import { useEffect, useState } from 'react'

const CALM_MS = 1_200

/** Tells screen readers how things stand, once it is calm: not every tap and every answer on its own. */
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
