import { create } from 'zustand'
import { wallClockMs } from '#lib/format.ts'
import { instantOf } from '#lib/portal-time.ts'
import { getDateTime } from './api.ts'
import { nextOffset } from './clock-model.ts'

type ServerClock = {
  /** the server's clock minus ours in ms; null before the first answer */
  offsetMs: number | null
  /** asks the server for its time; without an answer the known offset stays */
  sync: () => Promise<void>
}

export const useServerClock = create<ServerClock>((set, get) => ({
  offsetMs: null,
  sync: async () => {
    const sentAt = Date.now()
    try {
      const serverMs = instantOf(wallClockMs(await getDateTime()))
      set({ offsetMs: nextOffset(get().offsetMs, { serverMs, sentAt, receivedAt: Date.now() }) })
    } catch {
      // Asked again later; until then our own clock and the last offset have to do.
    }
  },
}))

/** Now by the server's clock, in ms since 1970; by ours as long as the server has not answered. */
export const serverNowMs = (): number => Date.now() + (useServerClock.getState().offsetMs ?? 0)
