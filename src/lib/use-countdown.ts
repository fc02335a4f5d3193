import { useEffect, useState } from 'react'
import { getDateTime } from '#contract/system.ts'
import { call } from './api-client.ts'
import { serverNow } from './clock.ts'

const TICKS_PER_QUESTION = 60
/** The server shows whole seconds: readings at different parts of a second together say when its second turns. */
const FIRST_QUESTIONS_MS = [0, 1270, 2540, 3760]

/** Every answer tells the time in its header; this one is asked for nothing else. */
const askTheTime = () => {
  // It runs on by the device’s clock, and asks again.
  call(getDateTime, {}).catch(() => undefined)
}

/**
 * Ms until an instant by the server's clock, each second.
 * @param targetMs null: nothing to count @param isExact asks for the time again
 */
export function useCountdown(targetMs: number | null, isExact = false): number {
  const [nowMs, setNowMs] = useState(serverNow)
  useEffect(() => {
    if (targetMs === null) return
    const questions = (isExact ? FIRST_QUESTIONS_MS : []).map(delay => setTimeout(askTheTime, delay))
    let timer = 0
    let ticks = 0
    const tick = () => {
      const now = serverNow()
      setNowMs(now)
      if (isExact && ++ticks % TICKS_PER_QUESTION === 0) askTheTime()
      const remaining = targetMs - now
      // To the next full second, so that no second is skipped and the end is met.
      if (remaining >= 0) timer = window.setTimeout(tick, (remaining % 1000) + 1)
    }
    tick()
    return () => {
      clearTimeout(timer)
      for (const pending of questions) clearTimeout(pending)
    }
  }, [targetMs, isExact])
  return (targetMs ?? 0) - nowMs
}
