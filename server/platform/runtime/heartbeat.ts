/** IPC channel to another process: `process` in a worker, the worker in the primary process. */
export type ProcessChannel = {
  on(event: 'message', listener: (message: unknown) => void): unknown
  send?(message: object): boolean
  isConnected(): boolean
}

export type Heartbeat = {
  /** true if no message has arrived for 3 s, so that the process is unresponsive or about to be replaced */
  isSilent(): boolean
  /** Registers a callback that is called whenever no message has arrived for 3 s. */
  onSilent(react: () => void): void
  stop(): void
}

const BEAT_MS = 1_000
const SILENT_BEATS = 3
const HUNG_BEATS = 5
/** Number of heartbeats that a process may miss while it is loading. */
const LOADING_BEATS = 60

/**
 * Sends a heartbeat each second and counts the seconds without a message from the other process. Seconds are counted by
 * the timer that sends the heartbeats, so that a stall of this process does not count against the other one. See
 * docs/decisions/0140.
 * @param onHung called once, after 5 s of silence
 */
export function startHeartbeat(channel: ProcessChannel, onHung: () => void): Heartbeat {
  const listeners: (() => void)[] = []
  let missed = HUNG_BEATS - LOADING_BEATS
  channel.on('message', () => {
    missed = 0
  })
  const timer = setInterval(() => {
    missed += 1
    if (channel.isConnected()) channel.send?.({ beat: true })
    if (missed === SILENT_BEATS) for (const react of listeners) react()
    if (missed === HUNG_BEATS) onHung()
  }, BEAT_MS).unref()
  return {
    isSilent: () => missed >= SILENT_BEATS,
    onSilent: react => listeners.push(react),
    stop: () => clearInterval(timer),
  }
}
