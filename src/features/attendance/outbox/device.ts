import type { Call } from '#lib/call.ts'
import { clockOffsetMs, deviceNow } from '#lib/clock.ts'
import { newUuid } from '#lib/uuid.ts'
import { openOutboxDatabase } from './database.ts'
import { createOpenSessions, type OpenSessions } from './open-sessions.ts'
import { sendEntryThrough } from './send.ts'
import type { World } from './world.ts'

const CHANNEL = 'attendance-outbox'

type SyncRegistration = ServiceWorkerRegistration & { sync?: { register(tag: string): Promise<void> } }

/** The worker sends when the page is closed before the network is back. */
async function askWorker(): Promise<void> {
  if (!('serviceWorker' in navigator)) return
  const registration: SyncRegistration | undefined = await navigator.serviceWorker.getRegistration()
  await registration?.sync?.register('attendance-outbox')
}

function localNotes(): World['notes'] {
  try {
    // Missing in the worker; blocked by some settings.
    return typeof localStorage === 'undefined' ? null : localStorage
  } catch {
    return null
  }
}

type Device = World & {
  sessions: OpenSessions
  onMessage(act: (message: unknown) => void): void
  close(): void
}

/** The browser as the outbox uses it. @param call the page's or the worker's way to the portal */
export function createDevice(call: Call): Device {
  const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(CHANNEL)
  const after: World['after'] = (ms, act) => {
    const timer = setTimeout(act, ms)
    return () => clearTimeout(timer)
  }
  return {
    now: deviceNow,
    clockOffsetMs,
    random: () => Math.random(),
    newId: newUuid,
    after,
    openDatabase: onLost => openOutboxDatabase(indexedDB, onLost),
    notes: localNotes(),
    send: sendEntryThrough(call),
    locks: navigator.locks,
    sessions: createOpenSessions(navigator.locks, after),
    tell: message => channel?.postMessage(message),
    askWorker: () => {
      askWorker().catch(() => undefined)
    },
    onMessage: act => channel?.addEventListener('message', ({ data }) => act(data)),
    close: () => channel?.close(),
  }
}
