import { after } from '#lib/after.ts'
import { requestSync } from '#lib/background-sync.ts'
import type { Call } from '#lib/call.ts'
import { openChannel } from '#lib/channel.ts'
import { clockOffsetMs, deviceNow, verifiedServerNow } from '#lib/clock.ts'
import { readLanguage } from '#lib/language.ts'
import { newUuid } from '#lib/uuid.ts'
import { openOutboxDatabase } from './database.ts'
import { createOpenSessions, type OpenSessions } from './open-sessions.ts'
import type { Platform } from './platform.ts'
import { sendEntryThrough } from './send.ts'

const NAME = 'attendance-outbox'

function localNotes(): Platform['notes'] {
  try {
    // Missing in the worker; blocked by some settings.
    return typeof localStorage === 'undefined' ? null : localStorage
  } catch {
    // Blocked by a setting: as missing.
    return null
  }
}

type Device = Platform & {
  sessions: OpenSessions
  onMessage(act: (message: unknown) => void): void
  close(): void
}

/** The browser as the outbox uses it. @param call the page's or the worker's way to the portal */
export function createBrowserPlatform(call: Call): Device {
  return {
    ...openChannel(NAME),
    now: deviceNow,
    clockOffsetMs,
    verifiedServerNow,
    random: Math.random,
    newId: newUuid,
    language: readLanguage,
    after,
    openDatabase: onLost => openOutboxDatabase(indexedDB, onLost),
    notes: localNotes(),
    send: sendEntryThrough(call),
    locks: navigator.locks,
    sessions: createOpenSessions(navigator.locks, after),
    // The worker sends when the page is closed before the network is back.
    askWorker: requestSync.bind(null, NAME),
  }
}
