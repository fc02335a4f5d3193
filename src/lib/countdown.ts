const pad = (value: number) => String(value).padStart(2, '0')

/** Splits the remaining time into days and a clock: `mm:ss` in the last hour, `hh:mm:ss` before. Never negative. */
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
