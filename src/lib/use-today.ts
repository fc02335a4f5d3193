import { useEffect, useState } from 'react'
import { serverNow } from './clock.ts'
import { todayOf } from './portal-time.ts'

const LOOK_EVERY_MS = 30_000

/** Midnight of today on the portal's wall clock: a page left open over night follows. */
export function useToday(): number {
  const [today, setToday] = useState(() => todayOf(serverNow()))
  useEffect(() => {
    const timer = setInterval(() => setToday(todayOf(serverNow())), LOOK_EVERY_MS)
    return () => clearInterval(timer)
  }, [])
  return today
}
