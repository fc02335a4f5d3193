import { useEffect, useState } from 'react'
import { api } from './api.ts'
import { onClockCorrected, serverNow } from './clock.ts'

const TICKS_PER_QUESTION = 60
/** Times at which the server is queried. The response with the shortest round trip is the most precise. */
const FIRST_QUESTIONS_MS = [0, 1_000, 2_000, 3_000]

/** Sends a request just to receive the server's time in the response's header. */
const askTheTime = () => {
  // If the request fails, the countdown continues with the device's clock.
  api.getDateTime().catch(() => undefined)
}

/**
 * Time in ms until an instant according to the server's clock, updated every second.
 * @param targetMs null if there is nothing to count down to
 * @param isExact whether to measure the server's clock repeatedly during the countdown
 */
export function useCountdown(targetMs: number | null, isExact = false): number {
  const [nowMs, setNowMs] = useState(serverNow)
  useEffect(() => {
    if (targetMs === null) return
    const questions = (isExact ? FIRST_QUESTIONS_MS : []).map(delay => setTimeout(askTheTime, delay))
    let timer = 0
    let ticks = 0
    const tick = () => {
      clearTimeout(timer)
      const now = serverNow()
      setNowMs(now)
      if (isExact && ++ticks % TICKS_PER_QUESTION === 0) askTheTime()
      const remaining = targetMs - now
      // Aligned to whole seconds, so that no second is skipped and the countdown ends exactly at zero.
      if (remaining >= 0) timer = window.setTimeout(tick, (remaining % 1000) + 1)
    }
    tick()
    // A countdown that ended by the device's clock continues if this was ahead.
    const stopListening = onClockCorrected(tick)
    return () => {
      stopListening()
      clearTimeout(timer)
      for (const pending of questions) clearTimeout(pending)
    }
  }, [targetMs, isExact])
  return (targetMs ?? 0) - nowMs
}

const pad = (value: number) => String(value).padStart(2, '0')

/**
 * Splits the remaining time into days and a clock, formatted as `mm:ss` during the last hour and as `hh:mm:ss` before.
 * Never negative.
 */
export function countdownParts(remainingMs: number): { days: number; clock: string } {
  const seconds = Math.max(0, Math.ceil(remainingMs / 1000))
  const [days, hours, minutes] = [
    Math.floor(seconds / 86_400),
    Math.floor(seconds / 3600) % 24,
    Math.floor(seconds / 60) % 60,
  ]
  const clock = `${pad(minutes)}:${pad(seconds % 60)}`
  return { days, clock: days > 0 || hours > 0 ? `${pad(hours)}:${clock}` : clock }
}
